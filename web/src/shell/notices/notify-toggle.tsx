/** Whether this browser tells the person of what needs them. Asked for once, by the person; used only while the page is hidden. */
import { Bell, BellOff } from 'lucide-react'
import { useState } from 'react'
import { Button } from '../../ui/button.tsx'
import { notifyFailed } from '../../ui/toast.tsx'
import { areNoticesOn, turnNotices } from './notices.ts'

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
