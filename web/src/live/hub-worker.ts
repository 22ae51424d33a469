/** The hub as a SharedWorker: one for all tabs, so that many tabs do not use up the connections of the browser. */
import { browserHub, takeMessage } from './browser-hub.ts'
import type { FromHub, ToHub } from './messages.ts'

const ports = new Set<MessagePort>()

const hub = browserHub((message: FromHub) => {
  for (const port of ports) port.postMessage(message)
})

function receive(port: MessagePort, message: ToHub): void {
  // First, so that it gets what its session changes.
  if (message.type === 'hello') ports.add(port)
  takeMessage(hub, message, {
    greet: () => {
      for (const one of hub.greeting()) port.postMessage(one)
    },
    leave: () => ports.delete(port),
  })
}

addEventListener('connect', (event) => {
  const [port] = (event as MessageEvent).ports
  if (port === undefined) return
  port.addEventListener('message', ({ data }: MessageEvent<ToHub>) => receive(port, data))
  port.start()
})
