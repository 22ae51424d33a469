/** A hub with the network and the clock of this tab or worker, and what it does with a tab's messages. */
import { Hub } from './hub.ts'
import type { FromHub, ToHub } from './messages.ts'

export const browserHub = (send: (message: FromHub) => void): Hub =>
  new Hub({
    fetch: (path, init) => fetch(path, init),
    now: () => Date.now(),
    random: () => Math.random(),
    after: (ms, run) => {
      const timer = setTimeout(run, ms)
      return () => clearTimeout(timer)
    },
    send,
  })

/** How a tab comes and goes. */
export interface Attendance {
  readonly greet: () => void
  readonly leave: () => void
}

export function takeMessage(hub: Hub, message: ToHub, { greet, leave }: Attendance): void {
  switch (message.type) {
    case 'hello':
      if (message.session !== null) hub.useSession(message.session, 'kept')
      greet()
      return
    case 'session':
      hub.useSession(message.session, message.from)
      return
    case 'retry':
      hub.retry()
      return
    case 'bye':
      leave()
      return
  }
}
