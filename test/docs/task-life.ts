/** Generates docs/task-life.md from the table of moves. */
import { MOVES, STEPS, type Move, type Step } from '../../src/core/state/life.ts'

const INTRO = `# A task's life

This page is printed from the table in \`src/core/state/life.ts\` by a test (\`UPDATE_DOCS=1 npm run test:quick\` rewrites it).
Every legal move of a task is a row of that table; all others are refused. Commands show the status; the step is the exact
position. An effect is owed until its result is in the log, so a restart goes on where the log ends.
`

const steps = Object.keys(STEPS) as Step[]
/** A task starts pending on its dependencies, or ready without any. */
const BEGINNINGS: readonly Step[] = ['pending', 'ready']

const pairs = (move: Move): string[] => move.from.flatMap((from) => move.to.map((to) => `${from} --> ${to}`))

function diagram(): string {
  const labels = new Map<string, Set<string>>()
  for (const move of MOVES) {
    for (const pair of pairs(move)) labels.set(pair, (labels.get(pair) ?? new Set<string>()).add(move.on))
  }
  const ends = steps.filter((step) => MOVES.every(({ from }) => !from.includes(step)))
  return [
    '```mermaid',
    'stateDiagram-v2',
    ...BEGINNINGS.map((step) => `  [*] --> ${step}`),
    ...[...labels].map(([pair, on]) => `  ${pair}: ${[...on].join(', ')}`),
    ...ends.map((step) => `  ${step} --> [*]`),
    '```',
  ].join('\n')
}

const table = (head: readonly string[], rows: readonly (readonly string[])[]): string =>
  [head, head.map(() => '---'), ...rows].map((cells) => `| ${cells.join(' | ')} |`).join('\n')

const code = (names: readonly string[]): string => names.map((name) => `\`${name}\``).join(', ')

export function lifeDocument(): string {
  const stepRows = steps.map((step) => {
    const { status, owes, waitsFor } = STEPS[step]
    return [code([status]), code([step]), code(owes), waitsFor]
  })
  const moveRows = MOVES.map(({ on, from, to, means }) => [code([on]), code(from), code(to), means])
  return [
    INTRO,
    '## What happens in each step\n',
    `${table(['status', 'step', 'owed', 'waits for'], stepRows)}\n`,
    '## Diagram\n',
    `${diagram()}\n`,
    '## Moves\n',
    '`dependency.completed` is not an event: it happens when the last dependency is completed.\n',
    `${table(['on', 'from', 'to', 'means'], moveRows)}\n`,
  ].join('\n')
}
