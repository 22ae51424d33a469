/** What the world of a plan would show of workers: long transcripts, claims of a thousand of them, and a large diff. */
import type { Claim } from '../../../src/core/watch/observed.ts'
import type { WorkDiff, WorkDiffs } from '../../../src/ports/checkouts.ts'
import type { TranscriptEntry, Transcripts } from '../../../src/ports/transcript.ts'
import { MINUTE } from '../../helpers/plan-builder.ts'

const ENTRIES = 5000
const PAGE = 1000

const said = (at: number, nth: number): TranscriptEntry => {
  const nothing = { at, call: null, outcome: null, detail: null }
  const call = `call-${nth - (nth % 4)}`
  switch (nth % 4) {
    case 0:
      return { ...nothing, kind: 'tool_started', call, text: `npx vitest run test/cart-${nth}.test.ts` }
    case 1:
      return {
        ...nothing,
        kind: 'tool_ended',
        call,
        text: '',
        outcome: nth % 40 === 1 ? 'failed' : 'completed',
        detail: '148 passed',
      }
    case 2:
      return {
        ...nothing,
        kind: 'thought',
        text: 'The total is computed twice; the second place forgets the discount.',
      }
    default:
      return {
        ...nothing,
        kind: 'message',
        text: `Step ${(nth + 1) / 4}: the cart keeps its discount when an item is removed.`,
      }
  }
}

/** Of every worker the same, up to the present. */
export const longTranscripts =
  (now: number): Transcripts =>
  async (_repository, _worker, after) => {
    const from = Number(after ?? 0)
    const count = Math.min(PAGE, ENTRIES - from)
    const entries = Array.from({ length: count }, (_, place) =>
      said(now - (ENTRIES - from - place) * 300, from + place),
    )
    return {
      protocol: 'acp',
      entries,
      next: String(from + count),
      hasMore: from + count < ENTRIES,
      isOver: false,
    }
  }

const FILES = 4
const LINES = 200

/** With the file of the task, which its findings are about. */
function largeDiff(task: string): WorkDiff {
  const names = [`src/${task}.ts`, ...Array.from({ length: FILES }, (_, at) => `src/cart/part-${at + 1}.ts`)]
  const lines = Array.from(
    { length: LINES },
    (_, at) => `+export const total${at} = (items: readonly Item[]) => items.length * ${at}`,
  )
  const patch = names.map((name) =>
    [
      `diff --git a/${name} b/${name}`,
      'new file mode 100644',
      'index 0000000..1111111',
      '--- /dev/null',
      `+++ b/${name}`,
      `@@ -0,0 +1,${LINES} @@`,
      ...lines,
      '',
    ].join('\n'),
  )
  const files = names.map(
    (path) => ({ path, from: null, change: 'added', added: LINES, removed: 0, isBinary: false }) as const,
  )
  return {
    base: 'b'.repeat(40),
    head: 'h'.repeat(40),
    files,
    patch: patch.join(''),
    isCut: false,
    command: null,
  }
}

/** Of `w-shop-401-12`. */
const taskOf = (worker: string): string => worker.split('-')[2] ?? ''

export const largeDiffs: WorkDiffs = {
  between: async () => largeDiff('1'),
  ofCommit: async () => largeDiff('1'),
  ofDraft: async ({ worker }) => largeDiff(taskOf(worker)),
  ofWorker: async ({ worker }) => largeDiff(taskOf(worker)),
}

const STEPS = ['reads the cart', 'writes the tests', 'runs npm test', 'mends the total', 'reads its own diff']

/** Tasks of the fleet whose workers never said a word, and whose workers have been silent for a while. */
export const ZOMBIES = { first: 930, last: 954 }
export const LATE = { first: 960, last: 980 }

interface Range {
  readonly first: number
  readonly last: number
}
export const isIn = ({ first, last }: Range, nth: number): boolean => nth >= first && nth <= last
export const countIn = ({ first, last }: Range): number => last - first + 1

/** The last claims of the fleet: a few are blocked, a few have not moved for long. */
export const fleetClaims = (count: number, now: number) =>
  Array.from({ length: count }, (_, at) => at + 1)
    .filter((nth) => !isIn(ZOMBIES, nth))
    .map((nth) => ({ plan: 'fleet', worker: `w-fleet-${nth}-1`, claim: claimOf(nth, now) }))

function claimOf(nth: number, now: number): Claim {
  const at = now - (isIn(LATE, nth) ? 17 * MINUTE : (nth % 11) * 20_000)
  const isBlocked = nth % 97 === 13
  const isStuck = nth % 61 === 7
  return {
    at,
    status: isBlocked ? 'blocked' : 'in_progress',
    statusSince: at - 4 * MINUTE,
    percent: isStuck ? 40 : (nth * 7) % 96,
    percentSince: isStuck ? at - 45 * MINUTE : at,
    step: STEPS[nth % STEPS.length] ?? null,
    nextStep: STEPS[(nth + 1) % STEPS.length] ?? null,
    timeRemaining: `${5 + (nth % 20)} min`,
    issues: isBlocked ? ['the payment sandbox refuses the test card'] : [],
    failure: null,
    count: 1 + (nth % 9),
  }
}
