/** Sends bytes to a port and reads the answer: what no library would let a test send. */
import { connect } from 'node:net'

export interface RawAnswer {
  /** Null where the connection was closed without an answer. */
  readonly status: number | null
  readonly head: string
  readonly body: string
}

/** The server has to close the connection. `half-closed`: the client says that nothing more will come. */
export function sendRaw(
  port: number,
  bytes: string,
  how: 'half-closed' | 'open' = 'half-closed',
): Promise<RawAnswer> {
  return new Promise((resolve, reject) => {
    const socket = connect({ port, host: '127.0.0.1' }, () => {
      if (how === 'open') socket.write(bytes)
      else socket.end(bytes)
    })
    let text = ''
    const done = (): void => {
      const [head = '', ...rest] = text.replace(/^HTTP\/1\.1 100 .*\r\n\r\n/, '').split('\r\n\r\n')
      const status = /^HTTP\/1\.1 (\d{3})/.exec(head)?.[1]
      resolve({ status: status === undefined ? null : Number(status), head, body: rest.join('\r\n\r\n') })
    }
    socket.setEncoding('utf8')
    socket.on('data', (chunk: string) => (text += chunk))
    socket.on('close', done)
    socket.on('error', (error: NodeJS.ErrnoException) => {
      if (error.code !== 'ECONNRESET' && error.code !== 'EPIPE') reject(error)
    })
  })
}
