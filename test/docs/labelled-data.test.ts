/** The labelled data of bench/data: well formed, and split as its READMEs describe. */
import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { z } from 'zod'

const DATA = join(import.meta.dirname, '../../bench/data')

const intakeCase = z.strictObject({
  id: z.string(),
  text: z.string().min(1),
  repository: z.enum(['empty', 'existing']),
  files: z.array(z.string()).min(1).optional(),
  label: z.strictObject({
    type: z.enum(['new_project', 'feature_request', 'bug_fix']),
    scope: z.enum(['trivial', 'small', 'medium', 'large']),
  }),
  form: z.enum(['sentence', 'brief', 'issue', 'spec', 'plan', 'noise']),
  note: z.string(),
})

const ambiguityCase = z.strictObject({
  id: z.string(),
  title: z.string(),
  description: z.string(),
  criteria: z.array(z.string()).min(1),
  label: z.enum(['ambiguous', 'clear']),
  kind: z.enum(['tbd', 'choice', 'unmeasurable', 'contradiction']).optional(),
  words: z.array(z.string()).min(1).optional(),
  note: z.string(),
})

interface Identified {
  readonly id: string
}

function sha256(text: string): string {
  return createHash('sha256').update(text).digest('hex')
}

function readCases<Case>(file: string, schema: z.ZodType<Case>): Case[] {
  const lines = readFileSync(join(DATA, file), 'utf8').trimEnd().split('\n')
  return lines.map((line) => schema.parse(JSON.parse(line)))
}

/** The ids that the READMEs' rule holds out: the second of every three within a stratum. */
function heldOutIds<Case extends Identified>(
  cases: readonly Case[],
  seed: string,
  stratum: (one: Case) => string,
  order: (one: Case) => string,
): string[] {
  const sortKey = (one: Case) => `${order(one)} ${sha256(`${seed}:${one.id}`)}`
  const strata = Map.groupBy(cases, stratum)
  return [...strata.values()]
    .flatMap((members) =>
      members.toSorted((a, b) => (sortKey(a) < sortKey(b) ? -1 : 1)).filter((_, index) => index % 3 === 1),
    )
    .map((one) => one.id)
    .toSorted()
}

/** The share of their words that two texts have in common. */
function sharedWords(a: ReadonlySet<string>, b: ReadonlySet<string>): number {
  const shared = [...a].filter((word) => b.has(word)).length
  return shared / Math.max(1, a.size + b.size - shared)
}

function wordsOf(text: string): Set<string> {
  return new Set(text.toLowerCase().match(/[\p{L}\p{N}_]+/gu))
}

/** Of the held-out ids with their labels: changes when a case is added, dropped, edited or labelled anew. */
const HELD_OUT_SEAL = 'd64ec5faa836bd82c640ad84df25ebc91902b388380e0dae8a7bb0b907e9bdc3'

describe('labelled inputs for intake', () => {
  const tuning = readCases('intake/tuning.jsonl', intakeCase)
  const formerHeldOut = readCases('intake/former-held-out.jsonl', intakeCase)
  const moreTuning = readCases('intake/more-tuning.jsonl', intakeCase)
  const heldOut = readCases('intake/held-out.jsonl', intakeCase)
  const readme = readFileSync(join(DATA, 'intake/README.md'), 'utf8')

  test('an id is derived from the text, and no text occurs twice', () => {
    const all = [...tuning, ...formerHeldOut, ...moreTuning, ...heldOut]
    for (const one of all) expect(one.id).toBe(`in-${sha256(one.text).slice(0, 6)}`)
    expect(new Set(all.map((one) => one.id)).size).toBe(all.length)
  })

  test('the formerly held-out part is the one that the seed chose', () => {
    const expected = heldOutIds(
      [...tuning, ...formerHeldOut],
      'bosun-intake-1',
      (one) => `${one.label.type} ${one.label.scope}`,
      (one) => one.form,
    )
    expect(formerHeldOut.map((one) => one.id).toSorted()).toEqual(expected)
  })

  test('the held-out part and its labels are as they were written', () => {
    const lines = heldOut.map(({ id, repository, label }) => `${id} ${repository} ${label.type} ${label.scope}`)
    expect(sha256(lines.toSorted().join('\n'))).toBe(HELD_OUT_SEAL)
  })

  test('no held-out text shares half of its words with a tuning text', () => {
    const known = [...tuning, ...formerHeldOut, ...moreTuning].map(({ text }) => wordsOf(text))
    const isClose = (own: ReadonlySet<string>) => known.some((words) => sharedWords(own, words) >= 0.5)
    const close = heldOut.filter(({ text }) => isClose(wordsOf(text)))
    expect(close.map((one) => one.id)).toEqual([])
  })

  test('the README counts the held-out inputs by type and scope', () => {
    for (const [type, cases] of Map.groupBy(heldOut, (one) => one.label.type)) {
      const counts = intakeCase.shape.label.shape.scope.options.map(
        (scope) => cases.filter((one) => one.label.scope === scope).length,
      )
      expect(readme).toContain(`| \`${type}\` | ${[...counts, cases.length].join(' | ')} |`)
    }
  })
})

describe('labelled tasks for ambiguity', () => {
  const tuning = readCases('ambiguity/tuning.jsonl', ambiguityCase)
  const heldOut = readCases('ambiguity/held-out.jsonl', ambiguityCase)

  test('an id is derived from the task, and no task occurs twice', () => {
    const all = [...tuning, ...heldOut]
    for (const { id, title, description, criteria } of all) {
      expect(id).toBe(`am-${sha256([title, description, ...criteria].join('\n')).slice(0, 6)}`)
    }
    expect(new Set(all.map((one) => one.id)).size).toBe(all.length)
  })

  test('an ambiguous task names words that it contains; a clear one names none', () => {
    for (const one of [...tuning, ...heldOut]) {
      const text = [one.title, one.description, ...one.criteria].join('\n').toLowerCase()
      expect(one.words !== undefined, one.id).toBe(one.label === 'ambiguous')
      expect(one.kind !== undefined, one.id).toBe(one.label === 'ambiguous')
      for (const words of one.words ?? []) expect(text, one.id).toContain(words.toLowerCase())
    }
  })

  test('the held-out part is the one that the seed chooses', () => {
    const expected = heldOutIds(
      [...tuning, ...heldOut],
      'bosun-ambiguity-1',
      (one) => one.kind ?? 'clear',
      () => '',
    )
    expect(heldOut.map((one) => one.id).toSorted()).toEqual(expected)
  })
})
