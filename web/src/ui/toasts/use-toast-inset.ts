/** Keeps notices off everything that can be clicked, while there are any. */
import { useEffect, useState } from 'react'
import { insetOf, type Box, type NoticeFacts } from './toast-place.ts'

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
