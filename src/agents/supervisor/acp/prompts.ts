/** What is said to an agent in its session: the brief, messages of Bosun, and what the supervisor itself adds. */
import { constants, fstatSync, readFileSync } from 'node:fs'
import { basename, dirname } from 'node:path'
import type { ContentBlock } from '@agentclientprotocol/sdk/unstable'
import { deliveryTime, isPause, lastInstruction } from '../../../core/watch/message-delivery.ts'
import type { Message } from '../../../core/event-schemas/watch.ts'
import { HeldFolder } from '../../../lib/files/held-folder.ts'
import { imageType } from '../../../lib/files/image-type.ts'
import { parseReview } from '../../command/parse-report.ts'
import { readLastReport, reportPaths } from '../../command/report-file.ts'
import type { AcpJob } from '../../worker-folder.ts'
import type { SessionParts } from '../command-session.ts'

/** Messages that wait for the agent, each delivered once. */
export class SessionMessages {
  #waiting: Message[] = []
  readonly #delivered = new Set<number>()
  /** Of the last prompt, as long as the agent has not answered it. */
  #unread: readonly number[] = []
  /** The instruction by which the agent waits for a later one; null while it does not. */
  #pausedBy: number | null = null
  #more = Promise.withResolvers<void>()

  /** The agent waits for its next instruction. */
  get isPaused(): boolean {
    return this.#pausedBy !== null
  }

  add(message: Message): 'new' | 'known' | 'delivered' {
    if (this.#delivered.has(message.id)) return 'delivered'
    if (this.#waiting.some(({ id }) => id === message.id)) return 'known'
    this.#waiting.push(message)
    if (this.#isWorthTurn()) this.#more.resolve()
    return 'new'
  }

  withdraw(message: number): void {
    this.#waiting = this.#waiting.filter(({ id }) => id !== message)
  }

  /** Resolves once there is something to say. */
  async more(): Promise<void> {
    if (this.#isWorthTurn()) return
    this.#more = Promise.withResolvers()
    await this.#more.promise
  }

  /** What is due: to pause at once, and the messages for the next prompt, if there is reason for one. */
  take(): { readonly pauses: readonly Message[]; readonly prompts: readonly Message[] } {
    if (!this.#isWorthTurn()) return { pauses: [], prompts: [] }
    const last = lastInstruction(this.#waiting)
    const pauses = this.#waiting.filter(isPause)
    const others = this.#waiting.filter((message) => !isPause(message))
    this.#pausedBy = last !== null && isPause(last) ? last.id : null
    // Messages to a paused agent are sent when it continues.
    const prompts = this.isPaused ? [] : others
    this.#waiting = this.isPaused ? others : []
    for (const { id } of [...pauses, ...prompts]) this.#delivered.add(id)
    this.#unread = prompts.map(({ id }) => id)
    return { pauses, prompts }
  }

  /** The agent answers its last prompt: the messages in it that it had not answered before. */
  read(): readonly number[] {
    const read = this.#unread
    this.#unread = []
    return read
  }

  /** Only an instruction continues an agent that waits for one, and none from before its pause. */
  #isWorthTurn(): boolean {
    const since = this.#pausedBy
    return since === null
      ? this.#waiting.some((message) => deliveryTime(message) !== 'with_next_turn')
      : this.#waiting.some(({ kind, id }) => kind === 'instruction' && id > since)
  }
}

/** How often Bosun prompts an agent to go on after it stopped at a refused permission. */
const MOST_REMINDERS = 3

export class OwnPrompts {
  readonly #parts: SessionParts
  readonly #job: AcpJob
  #hasAskedForVerdict = false
  #reminders = 0

  constructor(parts: SessionParts, job: AcpJob) {
    this.#parts = parts
    this.#job = job
  }

  /** A session that is continued has the brief already. */
  first(isContinued: boolean): string {
    const { brief } = this.#parts.job
    return isContinued ? (this.#job.session?.prompt ?? brief) : brief
  }

  /** For an agent that stopped where it was not allowed something; none after too many. */
  afterRefusal(refused: string): readonly string[] {
    this.#reminders++
    if (this.#reminders > MOST_REMINDERS) return []
    return [`Not permitted: ${refused}. Continue your task without it.`]
  }

  /** Asks a reviewer that ended its turn without a verdict for one, once; null where there is nothing to ask. */
  forVerdict(): string | null {
    const { job, folder } = this.#parts
    if (job.role !== 'reviewer' || this.#hasAskedForVerdict) return null
    const { text } = readLastReport(reportPaths(folder, job.outbox))
    if (text !== null && parseReview(text).value !== null) return null
    this.#hasAskedForVerdict = true
    const path = job.env['BOSUN_REPORT'] ?? ''
    return `You ended your turn without a verdict, so your review does not count yet. Write it now, as JSON, to \`${path}\`: ${FORM}`
  }
}

const FORM =
  '`{ "verdict": "approved" or "changes_requested", "summary": "", "critical": [], "major": [], "minor": [] }`'

const MOST_IMAGE_BYTES = 5 * 1024 * 1024

/** With its images, where the agent takes any. One that cannot be read any more is left out: the text names it all the same. */
export function promptBlocks(text: string, images: readonly string[]): ContentBlock[] {
  const attached = images.flatMap((path) => {
    const block = imageBlock(path)
    return block === null ? [] : [{ path, block }]
  })
  if (attached.length === 0) return [{ type: 'text', text }]
  const names = attached.map(({ path }) => basename(path)).join(', ')
  const note = `Images of the task are attached: ${names}.`
  return [{ type: 'text', text: `${text}\n\n${note}` }, ...attached.map(({ block }) => block)]
}

function imageBlock(path: string): ContentBlock | null {
  try {
    // The worker may have put something else in its place.
    using folder = HeldFolder.open(dirname(path))
    using file = folder.file(basename(path), constants.O_RDONLY)
    const stat = fstatSync(file.fd)
    if (!stat.isFile() || stat.size > MOST_IMAGE_BYTES) return null
    const bytes = readFileSync(file.fd)
    const mimeType = imageType(bytes)
    return mimeType === null ? null : { type: 'image', mimeType, data: bytes.toString('base64') }
  } catch {
    // Gone, or not readable.
    return null
  }
}
