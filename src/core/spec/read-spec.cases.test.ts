/** The reader of specs against the collected files (test/spec-cases). */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { readSpec } from './read-spec.ts'

interface Case {
  readonly id: string
  readonly kind: 'valid' | 'broken'
  readonly note: string
  readonly text: string
  readonly filler?: { readonly text: string; readonly times: number }
  readonly expected?: {
    readonly title: string
    readonly version: string
    readonly priority: string
    readonly in_scope: number
    readonly requirements: readonly (readonly [string, readonly string[], number])[]
  }
  readonly errors?: readonly { readonly lines: readonly number[] | null; readonly contains: string }[]
}

const casesIn = (file: string): readonly Case[] =>
  readFileSync(join(import.meta.dirname, '../../../test/spec-cases', file), 'utf8')
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as Case)

describe.each(['tuning.jsonl', 'held-out.jsonl'])('the spec files of %s', (file) => {
  const cases = casesIn(file).map((one) => [one.id, one.note, one] as const)

  it.each(cases.filter(([, , { kind }]) => kind === 'valid'))('%s is read: %s', (_id, _note, one) => {
    const { spec, problems } = readSpec(textOf(one))
    expect(problems.filter(({ severity }) => severity === 'error')).toEqual([])
    expect({
      title: spec?.title,
      version: spec?.version,
      priority: spec?.priority,
      in_scope: spec?.inScope.length,
      requirements: spec?.requirements.map(({ id, dependsOn, criteria }) => [id, dependsOn, criteria.length]),
    }).toEqual(one.expected)
  })

  it.each(cases.filter(([, , { kind }]) => kind === 'broken'))('%s is refused: %s', (_id, _note, one) => {
    const { spec, problems } = readSpec(textOf(one))
    expect(spec).toBeNull()
    const found = problems.filter(({ severity }) => severity === 'error')
    for (const { lines, contains } of one.errors ?? []) {
      const fitting = found.filter(
        ({ line, message }) =>
          message.toLowerCase().includes(contains.toLowerCase()) && (lines === null || lines.includes(line)),
      )
      expect(fitting.length, `${contains} at ${String(lines)} in ${JSON.stringify(found)}`).toBeGreaterThan(0)
    }
  })
})

function textOf({ text, filler }: Case): string {
  return filler === undefined ? text : text.replace('{{filler}}', () => filler.text.repeat(filler.times))
}
