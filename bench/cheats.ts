/**
 * Ways to get wrong work through, in three languages: each in a worker's folder, judged by the exit code of its tests
 * there (the naive gate, as control) and by Bosun's gates on every tier. Beside them honest work, which has to pass.
 */
import { C } from '../test/cheats/c.ts'
import { JAVASCRIPT } from '../test/cheats/javascript.ts'
import { CheatLab, LEVELS, refusals, type Cheat, type Honest, type Project } from '../test/cheats/lab.ts'
import { PYTHON } from '../test/cheats/python.ts'
import { report } from './lib/measure.ts'

type Row = Record<string, string>

async function row(lab: CheatLab, { language }: Project, work: Honest | Cheat): Promise<Row> {
  const levels = await Promise.all(LEVELS.map((tier) => lab.attempt(work, tier)))
  const refused = levels.map(({ verdicts }) => refusals(verdicts))
  const isCheat = 'by' in work
  return {
    language,
    kind: isCheat ? 'cheat' : 'honest',
    work: work.name,
    'exit code': levels.every(({ naive }) => naive) ? 'passes' : 'refused',
    ...Object.fromEntries(
      LEVELS.map((tier, at) => {
        const by = (refused[at] ?? []).map(({ gate }) => gate)
        return [tier, by.length === 0 ? 'passes' : `refused: ${by.join(', ')}`]
      }),
    ),
  }
}

const rows: Row[] = []
for (const project of [JAVASCRIPT, PYTHON, C]) {
  const lab = await CheatLab.open(project)
  try {
    for (const work of [...project.honest, ...project.cheats]) rows.push(await row(lab, project, work))
  } finally {
    lab.close()
  }
}

const of = (kind: string): readonly Row[] => rows.filter((one) => one['kind'] === kind)
const passing = (some: readonly Row[], column: string): number =>
  some.filter((one) => one[column] === 'passes').length
const [cheats, honest] = [of('cheat'), of('honest')]
const through = Math.max(...LEVELS.map((tier) => passing(cheats, tier)))
const stopped = honest.length - Math.min(...LEVELS.map((tier) => passing(honest, tier)))
const naive = passing(cheats, 'exit code')
const isKept = through === 0 && stopped === 0 && naive === cheats.length && cheats.length >= 25
report('cheats', rows, { ok: isKept, cheats: cheats.length, naive, through, honest: honest.length, stopped })
console.log(
  `of ${cheats.length} cheats ${naive} pass by their exit code and ${through} pass Bosun's gates on any tier (mark 0); ` +
    `of ${honest.length} honest changes ${stopped} are stopped (mark 0)`,
)
if (!isKept) process.exitCode = 1
