/** The tab's end of the hub, in a SharedWorker where the browser has them, else in this tab. */
import { browserHub, takeMessage } from './browser-hub.ts'
import type { FromHub, ToHub } from './messages.ts'

export interface HubLink {
  readonly say: (message: ToHub) => void
}

export function connectHub(receive: (message: FromHub) => void): HubLink {
  if (typeof SharedWorker === 'undefined') return ownHub(receive)
  const worker = new SharedWorker(new URL('./hub-worker.ts', import.meta.url), {
    type: 'module',
    name: 'bosun',
  })
  worker.port.addEventListener('message', ({ data }: MessageEvent<FromHub>) => receive(data))
  worker.port.start()
  const say = (message: ToHub): void => worker.port.postMessage(message)
  addEventListener('pagehide', () => say({ type: 'bye' }))
  return { say }
}

function ownHub(receive: (message: FromHub) => void): HubLink {
  const hub = browserHub(receive)
  const attendance = {
    // As from a worker: later, not within the call.
    greet: () =>
      queueMicrotask(() => {
        for (const one of hub.greeting()) receive(one)
      }),
    leave: () => hub.stop(),
  }
  return { say: (message) => takeMessage(hub, message, attendance) }
}
