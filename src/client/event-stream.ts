/** Reads the daemon's event stream (server-sent events, as our own server writes them). */
import type { EventMessage } from '../protocol/answers.ts'

/** Far above the length of any message. */
const MAX_MESSAGE = 16 * 1024 * 1024

export async function* messagesIn(bytes: AsyncIterable<Uint8Array>): AsyncGenerator<EventMessage> {
  const decoder = new TextDecoder()
  let text = ''
  for await (const chunk of bytes) {
    text += decoder.decode(chunk, { stream: true })
    if (text.length > MAX_MESSAGE) throw new Error('a message in the event stream is too long')
    for (let end = text.indexOf('\n\n'); end !== -1; end = text.indexOf('\n\n')) {
      const message = messageIn(text.slice(0, end))
      text = text.slice(end + 2)
      if (message !== null) yield message
    }
  }
}

/** Null for keep-alive comments and hints. */
function messageIn(block: string): EventMessage | null {
  const data = block
    .split('\n')
    .filter((line) => line.startsWith('data: '))
    .map((line) => line.slice('data: '.length))
  return data.length === 0 ? null : (JSON.parse(data.join('\n')) as EventMessage)
}
