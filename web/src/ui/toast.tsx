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
  const message = error instanceof Error ? error.message : String(error)
  const remedy = error instanceof ApiError && error.remedy !== '' ? `\n${error.remedy}` : ''
  toast.error(what, { description: visibleText(sentence(message) + remedy), duration: 10_000 })
}
