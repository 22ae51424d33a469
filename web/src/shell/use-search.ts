/** Filters, which live in the address so that a link shows the same. */
import { useNavigate, useSearch } from '@tanstack/react-router'

/** One value of the query string. Setting the default, or an empty text, removes it. */
export function useSearchValue(name: string, otherwise = ''): readonly [string, (value: string) => void] {
  const search: Readonly<Record<string, string | undefined>> = useSearch({ strict: false })
  const navigate = useNavigate()
  const set = (value: string): void => {
    void navigate({
      to: '.',
      search: (before: Readonly<Record<string, string | undefined>>) => ({
        ...before,
        [name]: value === otherwise ? undefined : value,
      }),
      replace: true,
      resetScroll: false,
    })
  }
  return [search[name] ?? otherwise, set]
}

/** The repository that the address names; undefined where ids are not ambiguous. */
export function useRepo(): string | undefined {
  const search: Readonly<Record<string, string | undefined>> = useSearch({ strict: false })
  return search['repo']
}
