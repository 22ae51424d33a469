/** Kills the daemon with SIGKILL again and again while it delivers, and lets the next command bring it back. */
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import type { Lab, LastLine } from './lab.ts'
import type { TwelveTasks } from './twelve-tasks.ts'

const LOOK_MS = 10

export interface Kill {
  /** So many lines of the activity log were there. */
  readonly afterLines: number
  /** And so much later: between two lines things happen too. */
  readonly delayMs: number
}

/** Numbers in [0, 1) that hang on the seed alone. */
export function seeded(seed: number): () => number {
  let state = seed >>> 0
  return () => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
}

/** Moments spread over a run that tells so many lines. */
export function drawKills(seed: number, count: number, lines: number): readonly Kill[] {
  const random = seeded(seed)
  return Array.from({ length: count }, () => ({
    afterLines: 1 + Math.floor(random() * (lines - 5)),
    delayMs: Math.floor(random() * 250),
  })).sort((a, b) => a.afterLines - b.afterLines)
}

export interface Crashed {
  readonly kills: number
  readonly exit: number | null
  readonly last: LastLine
  readonly commands: number
}

/** Runs the plan to its end, however many commands that takes. */
export function deliverThrough(project: TwelveTasks, kills: readonly Kill[]): Promise<Crashed> {
  return deliver(project, (over) => killAll(project, kills, over), kills.length + 1)
}

/** The same, killed as soon as something was written that was not written before, until nothing new is. */
export function deliverThroughEveryWrite(project: TwelveTasks): Promise<Crashed> {
  return deliver(project, (over) => killAtEveryWrite(project, over), 5_000)
}

async function deliver(
  project: TwelveTasks,
  kill: (over: AbortSignal) => Promise<number>,
  mostCommands: number,
): Promise<Crashed> {
  const over = new AbortController()
  const killing = kill(over.signal)
  for (let commands = 1; ; commands++) {
    const { exit, last } = await project.lab.deliver()
    // 12: lost the connection to the daemon in the middle of a question, or was killed before it could answer.
    if (exit === 12 && commands <= mostCommands) continue
    over.abort()
    return { kills: await killing, exit, last, commands }
  }
}

/** A write counts as new by what it says, without when: a restart writes some things again. */
async function killAtEveryWrite(project: TwelveTasks, over: AbortSignal): Promise<number> {
  const seen = new Set<string>()
  let [seq, done] = [0, 0]
  while (!over.aborted) {
    const written = writtenSince(project.lab, seq)
    seq = written.at(-1)?.seq ?? seq
    const fresh = written.filter(({ text }) => !seen.has(text))
    for (const { text } of fresh) seen.add(text)
    if (fresh.length === 0) {
      await new Promise((resolve) => setTimeout(resolve, 1))
      continue
    }
    const pid = await aliveDaemon(project, over)
    if (pid === null) break
    process.kill(pid, 'SIGKILL')
    done++
  }
  return done
}

interface Written {
  readonly seq: number
  readonly text: string
}

function writtenSince(lab: Lab, seq: number): readonly Written[] {
  try {
    const db = new DatabaseSync(join(lab.home, 'bosun.db'), { readOnly: true })
    try {
      return db
        .prepare('select seq, type || data as text from events where seq > ? order by seq')
        .all(seq) as unknown as Written[]
    } finally {
      db.close()
    }
  } catch {
    // Not there yet.
    return []
  }
}

async function killAll(project: TwelveTasks, kills: readonly Kill[], over: AbortSignal): Promise<number> {
  let done = 0
  for (const { afterLines, delayMs } of kills) {
    await until(() => project.lab.activity().length >= afterLines, over)
    if (over.aborted) break
    await new Promise((resolve) => setTimeout(resolve, delayMs))
    const before = await aliveDaemon(project, over)
    if (before === null) break
    process.kill(before, 'SIGKILL')
    done++
  }
  return done
}

/** The daemon that is at work; waits for one that is being started. */
async function aliveDaemon(project: TwelveTasks, over: AbortSignal): Promise<number | null> {
  await until(() => livingDaemon(project) !== null, over)
  return over.aborted ? null : livingDaemon(project)
}

function livingDaemon({ lab }: TwelveTasks): number | null {
  try {
    const { pid } = lab.daemon()
    process.kill(pid, 0)
    return pid
  } catch {
    return null
  }
}

/** What to wait for lies in files of processes that are killed, so it is looked for. */
async function until(isSo: () => boolean, over: AbortSignal): Promise<void> {
  while (!over.aborted && !isSo()) await new Promise((resolve) => setTimeout(resolve, LOOK_MS))
}
