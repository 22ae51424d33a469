/** What Bosun asks of a worker's supervisor, as it stands in `commands.jsonl`. Both sides load this. */
import { appendFileSync } from 'node:fs'
import { STOP_CAUSES, type StopCause } from '../../core/event-schemas/stop-causes.ts'
import { LineTail } from '../../lib/files/line-tail.ts'
import { isRecord } from '../command/lenient.ts'
import { asDamage, DamagedFile, jsonIn } from './damaged-file.ts'
import type { WorkerCommand, WorkerFolder } from '../worker-folder.ts'

const MAX_COMMAND_BYTES = 1024 * 1024
const SHOWN = 100

/** Queues a command for a supervisor, running or not. Null where that was possible; else what is wrong with its file. */
export function giveCommand(
  { commands }: Pick<WorkerFolder, 'commands'>,
  command: WorkerCommand,
): DamagedFile | null {
  try {
    // An earlier writer may have died in the middle of a line.
    appendFileSync(commands, `\n${JSON.stringify(command)}\n`, { mode: 0o600, flush: true })
    return null
  } catch (error) {
    const damage = asDamage(commands, error)
    if (damage instanceof DamagedFile) return damage
    throw damage
  }
}

/** Reads the commands; each call gives those that came since the last one. */
export class CommandTail {
  readonly #path: string
  readonly #tail: LineTail

  constructor(path: string) {
    this.#path = path
    this.#tail = new LineTail(path, MAX_COMMAND_BYTES)
  }

  /** Throws `DamagedFile` for what is no command. A line that was cut short was never given. */
  read(): readonly WorkerCommand[] {
    return linesIn(this.#tail, this.#path).flatMap((line) => {
      const given = jsonIn(line)
      if (given === undefined) return []
      if (isCommand(given)) return [given]
      throw new DamagedFile(this.#path, `not a command: ${line.slice(0, SHOWN)}`)
    })
  }
}

/** The new lines of a file. Throws `DamagedFile` where it cannot be read. */
export function linesIn(tail: LineTail, path: string): readonly string[] {
  try {
    return tail.read()
  } catch (error) {
    throw asDamage(path, error)
  }
}

/** The cause of the first stop command, if any. */
export function readStopCause(path: string): StopCause | null {
  const stop = new CommandTail(path).read().find((command) => command.kind === 'stop')
  return stop?.cause ?? null
}

/** By hand: a schema would have to be loaded by every supervisor. */
function isCommand(value: unknown): value is WorkerCommand {
  if (!isRecord(value)) return false
  switch (value['kind']) {
    case 'stop':
      return STOP_CAUSES.some((cause) => cause === value['cause'])
    case 'limit':
      return typeof value['limitMs'] === 'number' && value['limitMs'] > 0
    case 'hold':
      return typeof value['isHeld'] === 'boolean'
    case 'nudge':
      return true
    case 'send':
      return isMessage(value['words'])
    default:
      return false
  }
}

function isMessage(words: unknown): boolean {
  if (!isRecord(words)) return false
  const { kind, message } = words
  if (kind === 'prompt')
    return isRecord(message) && typeof message['id'] === 'number' && typeof message['text'] === 'string'
  if (typeof message !== 'number') return false
  return (
    kind === 'withdrawn' ||
    (kind === 'permission' && typeof words['id'] === 'string' && isDecision(words['decision']))
  )
}

const isDecision = (value: unknown): boolean => value === 'allow' || value === 'deny'
