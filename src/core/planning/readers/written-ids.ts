/** Keeps ids as written: YAML parses `1.10` as the number 1.1, which is another task. */
import { isMapping, type LocatedValue } from './located.ts'
import type { Path } from './zod-problems.ts'

/** The parsed plan, with numeric ids replaced by their text. */
export function withWrittenIds({ value, numberText }: LocatedValue): unknown {
  if (!isMapping(value)) return value
  const idAt = (id: unknown, path: Path): unknown => (typeof id === 'number' ? (numberText(path) ?? id) : id)
  const entriesOf = (key: string, list: string): unknown => {
    const entries: unknown = value[key]
    if (!Array.isArray(entries)) return entries
    return entries.map((entry: unknown, index) => {
      if (!isMapping(entry)) return entry
      const at = [key, index]
      const ids: unknown = entry[list]
      return {
        ...entry,
        ...('id' in entry && { id: idAt(entry['id'], [...at, 'id']) }),
        ...(Array.isArray(ids) && { [list]: ids.map((id, place) => idAt(id, [...at, list, place])) }),
      }
    })
  }
  return {
    ...value,
    ...('plan' in value && { plan: idAt(value['plan'], ['plan']) }),
    ...('tasks' in value && { tasks: entriesOf('tasks', 'depends_on') }),
    ...('integration' in value && { integration: entriesOf('integration', 'tasks_covered') }),
  }
}
