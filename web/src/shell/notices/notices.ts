/**
 * Notifications of the browser for what newly needs a person, only while the page is hidden. The daemon says when: it applies
 * the rules of `notify` in bosun.yaml, as for every other way of being notified.
 */
import { useRouter } from '@tanstack/react-router'
import { useEffect } from 'react'
import type { PageNotice } from '../../../../src/protocol/rows/page-notice.ts'
import { onEvents } from '../../live/live.ts'
import { visibleText } from '../../ui/visible-text.ts'
import { pathIn } from './notice-path.ts'

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
