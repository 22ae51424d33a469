/**
 * Notifications of the browser for what newly needs a person, only while the page is hidden. The daemon says when: it applies
 * the rules of `notify` in bosun.yaml, as for every other way of being notified.
 */
import { useRouter } from '@tanstack/react-router'
import { useEffect, useState } from 'react'
import type { PageNotice } from '../../../../src/protocol/rows.ts'
import { onEvents } from '../../live/live.ts'
import { visibleText } from '../../ui/visible-text.ts'
import { pathIn } from './notice-path.ts'
import { Bell, BellOff } from 'lucide-react'
import { Button } from '../../ui/button.tsx'
import { notifyFailed } from '../../ui/toast.tsx'

const KEY = 'bosun.notices'
const MOST_CHARACTERS = 500

export const areNoticesOn = (): boolean =>
  localStorage.getItem(KEY) === 'on' &&
  typeof Notification !== 'undefined' &&
  Notification.permission === 'granted'
export const turnNotices = (state: 'on' | 'off'): void => localStorage.setItem(KEY, state)

export function useNotices(): void {
  const router = useRouter()
  useEffect(() => {
    const show = ({ id, title, text, link }: PageNotice): void => {
      if (!document.hidden || !areNoticesOn()) return
      const body = text.split('\n').map(visibleText).join('\n').slice(0, MOST_CHARACTERS)
      // The same tag in every tab of this browser: one notice, however many are open.
      const notice = new Notification(visibleText(title), { body, tag: id })
      // It leads to what it is about.
      notice.addEventListener('click', () => {
        window.focus()
        router.history.push(pathIn(link))
      })
    }
    return onEvents((events) => {
      for (const { notice } of events) if (notice !== undefined) show(notice)
    })
  }, [router])
}

/** A phone's browser has the class and refuses to make one. */
export const canNotify = (): boolean =>
  typeof Notification !== 'undefined' && !matchMedia('(pointer: coarse)').matches

/** `className`: where there is no room for it on a narrow screen. */
export function NotifyToggle({ className }: { readonly className?: string }) {
  const [isOn, setOn] = useState(areNoticesOn)
  if (!canNotify()) return null
  const toggle = async (): Promise<void> => {
    if (
      !isOn &&
      Notification.permission !== 'granted' &&
      (await Notification.requestPermission()) !== 'granted'
    ) {
      notifyFailed(
        'This browser does not allow notifications',
        new Error('Allow them for this address in the settings of the browser.'),
      )
      return
    }
    turnNotices(isOn ? 'off' : 'on')
    setOn(!isOn)
  }
  return (
    <Button
      kind="quiet"
      {...(className === undefined ? {} : { className })}
      aria-pressed={isOn}
      onClick={() => void toggle()}
    >
      {isOn ? <Bell size={14} aria-hidden="true" /> : <BellOff size={14} aria-hidden="true" />}
      {isOn ? 'Notifications on' : 'Notify me'}
    </Button>
  )
}
