/** Which process sends a call, and so how a person's decision came. */
import type { Socket } from 'node:net'
import { basename } from 'node:path'
import type { Origin } from '../core/event-schemas/origin.ts'
import { isBelowWorker, peerPid } from '../lib/process/peer.ts'
import { wordsOf } from '../lib/process/processes.ts'

interface Sender {
  readonly process: { readonly pid: number; readonly program: string } | null
  readonly isBosun: boolean
  readonly isMcp: boolean
  /** Whether it runs below a worker or a check. */
  readonly isWorkers: boolean
}

const UNKNOWN: Sender = { process: null, isBosun: false, isMcp: false, isWorkers: false }
const LONGEST_NAME = 60

const senders = new WeakMap<Socket, Sender>()

/** Asked once a connection: it takes milliseconds. Where the program cannot be found, its token decides. */
export function senderOf(socket: Socket): Sender {
  const known = senders.get(socket)
  if (known !== undefined) return known
  const { remotePort: from = 0, localPort: to = 0 } = socket
  const pid = peerPid({ from, to })
  const sender = pid === null ? UNKNOWN : { ...programOf(pid), isWorkers: isBelowWorker(pid) }
  senders.set(socket, sender)
  return sender
}

/** Of a script that Node runs, the script. */
function programOf(pid: number): Omit<Sender, 'isWorkers'> {
  const words = wordsOf(pid)
  const isNode = /^node(js)?$/.test(basename(words[0] ?? ''))
  const at = isNode ? words.findIndex((word, index) => index > 0 && !word.startsWith('-')) : 0
  const name = basename(words[Math.max(at, 0)] ?? '')
  const isBosun = isNode && /^bosun(\.cjs)?$/.test(name)
  const program = isBosun ? 'bosun' : name.replaceAll(/[^\w.+-]/g, '_').slice(0, LONGEST_NAME)
  return {
    process: { pid, program: program === '' ? 'unknown' : program },
    isBosun,
    isMcp: isBosun && words[at + 1] === 'mcp',
  }
}

/** Of a call with the user's token; that of a page session says where it comes from itself. */
export function originFrom({ process, isBosun, isMcp }: Sender): Origin {
  if (process === null) return { via: 'unknown' }
  return { via: isMcp ? 'mcp' : isBosun ? 'terminal' : 'program', process }
}
