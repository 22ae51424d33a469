/**
 * How often the rules understand a request as people do: its type and its scope, on the labelled inputs of data/intake.
 * The rules are written while looking at the tuning part only; the marks are for the held-out part. With `--tuning`
 * the held-out part is not read and nothing is marked: that is how to work on the rules.
 */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { z } from 'zod'
import { SCOPES, type Scope } from '../src/core/choice/choose-agent.ts'
import { INTAKE_TYPES, type IntakeType } from '../src/core/intake/intake.ts'
import { readRequest } from '../src/core/intake/request-text.ts'
import { formOf } from '../src/core/intake/request-form.ts'
import { classify } from '../src/core/thinking/questions/classify.ts'
import { scope as scopeQuestion } from '../src/core/thinking/questions/scope.ts'
import { NO_CONTEXT } from '../src/core/intake/project-context.ts'
import { report, round } from './lib/measure.ts'

const TYPE_MARK = 85
const SCOPE_MARK = 70
const LEAST_INPUTS = 120
/** An existing repository has some; how many makes no difference. */
const SOME_SOURCES = 10
const TUNING_FILES = ['tuning', 'former-held-out', 'more-tuning']
const HELD_OUT_FILES = ['held-out']

const rowSchema = z.object({
  id: z.string(),
  text: z.string(),
  repository: z.enum(['empty', 'existing']),
  label: z.object({ type: z.enum(INTAKE_TYPES), scope: z.enum(SCOPES) }),
})
type Row = z.infer<typeof rowSchema>

interface Answered {
  readonly row: Row
  readonly type: IntakeType
  readonly scope: Scope
}

const tuning = TUNING_FILES.flatMap(answersOf)
const tuningFigures = {
  tuning_type_percent: percent(tuning, hasRightType),
  tuning_scope_percent: percent(tuning, hasRightScope),
}
showTables('tuning', tuning)
console.log(
  `tuning: type ${tuningFigures.tuning_type_percent} %, scope ${tuningFigures.tuning_scope_percent} %`,
)
if (!process.argv.includes('--tuning')) measureHeldOut()

function measureHeldOut(): void {
  const heldOut = HELD_OUT_FILES.flatMap(answersOf)
  showTables('held-out', heldOut)
  const figures = {
    type_percent: percent(heldOut, hasRightType),
    scope_percent: percent(heldOut, hasRightScope),
    ...tuningFigures,
  }
  const inputs = tuning.length + heldOut.length
  const isEnough = inputs >= LEAST_INPUTS && heldOut.length * 3.5 >= tuning.length
  const ok = isEnough && figures.type_percent >= TYPE_MARK && figures.scope_percent >= SCOPE_MARK
  report('intake', [], { ...figures, type_mark: TYPE_MARK, scope_mark: SCOPE_MARK, inputs, ok })
  console.log(
    `held-out: type ${figures.type_percent} % (mark ${TYPE_MARK}), scope ${figures.scope_percent} % (mark ${SCOPE_MARK})`,
  )
  if (!ok) process.exitCode = 1
}

function showTables(name: string, answers: readonly Answered[]): void {
  console.log(`\n${name}: ${answers.length} inputs; rows are labels, columns are answers`)
  console.table(confusion(answers, INTAKE_TYPES, ({ row, type }) => [row.label.type, type]))
  console.table(confusion(answers, SCOPES, ({ row, scope }) => [row.label.scope, scope]))
}

function answersOf(name: string): readonly Answered[] {
  const file = join(import.meta.dirname, 'data/intake', `${name}.jsonl`)
  const lines = readFileSync(file, 'utf8')
    .split('\n')
    .filter((line) => line !== '')
  return lines.map((line) => answer(rowSchema.parse(JSON.parse(line))))
}

function answer(row: Row): Answered {
  const { text } = row
  const request = readRequest(text)
  const sources = row.repository === 'empty' ? 0 : SOME_SOURCES
  const { type } = classify.unjudged({ text, request, repository: { sources }, fileName: null })
  const { scope } = scopeQuestion.unjudged({
    text,
    request,
    type,
    form: formOf(text, request),
    context: NO_CONTEXT,
  })
  return { row, type, scope }
}

function confusion<Name extends string>(
  answers: readonly Answered[],
  names: readonly Name[],
  pair: (answered: Answered) => readonly [Name, Name],
): Readonly<Record<string, Readonly<Record<string, number>>>> {
  const pairs = answers.map(pair)
  const count = (label: Name, given: Name): number =>
    pairs.filter(([one, other]) => one === label && other === given).length
  return Object.fromEntries(
    names.map((label) => [label, Object.fromEntries(names.map((given) => [given, count(label, given)]))]),
  )
}

function hasRightType({ row, type }: Answered): boolean {
  return type === row.label.type
}

function hasRightScope({ row, scope }: Answered): boolean {
  return scope === row.label.scope
}

function percent(answers: readonly Answered[], isRight: (answered: Answered) => boolean): number {
  return round((answers.filter(isRight).length / answers.length) * 100, 1)
}
