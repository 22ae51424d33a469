import { toast, Toaster as Sonner, useSonner } from 'sonner'
import { ApiError } from '../api/client.ts'
import { sentence } from './format.ts'
import { useToastInset } from './toasts/use-toast-inset.ts'
import { visibleText } from './visible-text.ts'

/** Where notices of the page's own actions appear: never on something that can be clicked. */
export function Toaster() {
  const { toasts } = useSonner()
  const bottom = useToastInset(toasts.length)
  return (
    <Sonner
      position="bottom-right"
      offset={{ bottom, right: 24 }}
      mobileOffset={{ bottom, left: 16, right: 16 }}
      toastOptions={{
        unstyled: true,
        classNames: {
          toast:
            'flex w-full items-start gap-2 rounded-md bg-bg p-3 text-sm text-text shadow-float sm:w-[356px]',
          title: 'font-medium wrap-anywhere',
          description: 'text-muted wrap-anywhere whitespace-pre-line',
          icon: 'mt-0.5',
        },
      }}
    />
  )
}

/** Says that something was done. */
export const notifyDone = (text: string): void => {
  toast.success(visibleText(text))
}

/** Says what failed and what to do. */
export const notifyFailed = (what: string, error: unknown): void => {
  toast.error(what, { description: visibleText(failureLines(error).join('\n')), duration: 10_000 })
}

const MOST_PROBLEMS = 3

/** Each problem of a document with its place, where the answer names any. */
function failureLines(error: unknown): readonly string[] {
  if (!(error instanceof ApiError)) return [sentence(error instanceof Error ? error.message : String(error))]
  const { problems, message, remedy } = error
  if (problems.length === 0) return [sentence(message), ...(remedy === '' ? [] : [remedy])]
  const more = problems.length - MOST_PROBLEMS
  return [
    ...problems
      .slice(0, MOST_PROBLEMS)
      .map((one) => `${one.file}:${one.line}: ${sentence(one.message)} ${one.remedy}`),
    ...(more > 0 ? [`And ${more} more.`] : []),
  ]
}
