import { toast, Toaster as Sonner, useSonner } from 'sonner'
import { ApiError } from '../api/client.ts'
import { sentence } from './format.ts'
import { visibleText } from './visible-text.ts'
import { useEffect, useState } from 'react'
import { insetOf, type Box, type NoticeFacts } from './toast-place.ts'

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

/** Keeps notices off everything that can be clicked, while there are any. */
const LEAST_PX = 16
/** The page changes under a notice, and scrolls. */
const LOOK_MS = 200
/** Notices behind the first one show their edges. */
const EDGE_PX = 16
const WIDTH_PX = 356
const SIDE_PX = 24
const LIKELY_HEIGHT_PX = 64
const PHONE_PX = 600

const ACTIONS =
  'a[href], button, input, select, textarea, summary, [role="button"], [role="tab"], [role="radio"], [role="option"]'

export function useToastInset(count: number): number {
  const [inset, setInset] = useState<number | null>(null)
  useEffect(() => {
    if (count === 0) {
      setInset(null)
      return
    }
    const look = (): void => setInset((current) => insetOf(factsNow(count, current)))
    look()
    const timer = setInterval(look, LOOK_MS)
    return () => clearInterval(timer)
  }, [count])
  return inset ?? LEAST_PX
}

function factsNow(count: number, current: number | null): NoticeFacts {
  const { innerWidth: width, innerHeight: height } = window
  const isPhone = width <= PHONE_PX
  const toaster = document.querySelector('[data-sonner-toaster]')
  const front = toaster?.querySelector<HTMLElement>('[data-sonner-toast][data-front="true"]')
  return {
    notice: {
      left: isPhone ? 0 : width - WIDTH_PX - SIDE_PX,
      right: width,
      height: (front?.offsetHeight ?? LIKELY_HEIGHT_PX) + EDGE_PX * Math.min(2, count - 1),
    },
    actions: [...document.querySelectorAll(ACTIONS)].flatMap((one) => shownBox(one, toaster, height)),
    height,
    least: LEAST_PX,
    current,
  }
}

/** None where it is not on the screen, or is a part of a notice. */
function shownBox(one: Element, toaster: Element | null, height: number): readonly Box[] {
  if (toaster?.contains(one) === true) return []
  const box = one.getBoundingClientRect()
  return box.width > 0 && box.height > 0 && box.bottom > 0 && box.top < height ? [box] : []
}
