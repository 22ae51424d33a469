/** The labelled data of bench/data: well formed, and split as its READMEs describe. */
import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { z } from 'zod'

const DATA = join(import.meta.dirname, '../../bench/data')

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
