/** The spec that a filled form is, word for word: nothing is added that was not written. */
import { oneLine } from '../../../lib/text/counted.ts'
import { itemOf } from '../../planning/readers/markdown/marks.ts'
import type { Requirement, Spec, SpecNote } from '../../spec/spec.ts'
import { linesOf, NOTE_OF, titleOf, type Fields } from './fields.ts'

const JUDGED = 'Notes'
export const NOT_JUDGED = 'Not judged: no model. The words are those of the person who filled in the form.'

/** `base` is the spec that the form was filled from: what the form does not show of it stays. */
export function specOfFields(
  fields: Fields,
  { created, base }: { readonly created: string; readonly base: Spec | null },
): Spec {
  const goal = (fields.goal ?? '').trim()
  const requirements = requirementsOf(fields.done ?? '', base?.requirements ?? [])
  const titles = requirements.map(({ title }) => title)
  const hasSameTitles =
    base !== null && titles.join('\n') === base.requirements.map(({ title }) => title).join('\n')
  return {
    version: base?.version ?? '1.0',
    priority: base?.priority ?? 'must',
    created: base?.created ?? created,
    title: base !== null && base.vision === goal ? base.title : titleOf(goal),
    vision: goal,
    inScope: hasSameTitles ? base.inScope : titles,
    outOfScope: pointsOf(fields.out ?? ''),
    requirements,
    notes: [
      ...note(NOTE_OF.users, fields.users),
      ...note(NOTE_OF.constraints, fields.constraints),
      ...note(NOTE_OF.tests, fields.tests),
      ...(base?.notes ?? []).filter(({ heading, text }) => !OWN.has(heading) && text !== NOT_JUDGED),
      { heading: JUDGED, text: NOT_JUDGED },
    ],
  }
}

const OWN: ReadonlySet<string> = new Set(Object.values(NOTE_OF))

const note = (heading: string, text = ''): readonly SpecNote[] =>
  text.trim() === '' ? [] : [{ heading, text: text.trim() }]

const pointsOf = (text: string): readonly string[] =>
  text
    .split('\n')
    .map((line) => oneLine(itemOf(line)?.text ?? line))
    .filter((line) => line !== '')

type Written = Pick<Requirement, 'title' | 'criteria' | 'description'>

/** A line is a requirement; indented lines below it are its criteria, else it is its own. */
function written(text: string): readonly Written[] {
  const groups: { line: string; below: string[] }[] = []
  for (const raw of text.split('\n')) {
    const plain = oneLine(itemOf(raw)?.text ?? raw)
    const last = groups.at(-1)
    if (plain === '') continue
    if (/^\s{2}|^\t/.test(raw) && last !== undefined) last.below.push(plain)
    else groups.push({ line: plain, below: [] })
  }
  return groups.map(({ line, below }) => ({
    title: titleOf(line),
    description: line,
    criteria: below.length > 0 ? below : [line],
  }))
}

const NEW = { type: 'functional', priority: 'must', dependsOn: [], line: 0 } as const

/** A requirement that is still there keeps its id: by its words, else by its title, else by its place. */
function requirementsOf(text: string, before: readonly Requirement[]): readonly Requirement[] {
  const now = written(text)
  const left = new Set(before)
  const found = new Map<Written, Requirement>()
  const match = (fits: (one: Written, at: number) => Requirement | undefined): void => {
    for (const [at, one] of now.entries()) {
      const was = found.has(one) ? undefined : fits(one, at)
      if (was === undefined || !left.delete(was)) continue
      found.set(one, was)
    }
  }
  match((one) => [...left].find((was) => linesOf(was) === linesOf(one)))
  match((one) => [...left].find(({ title }) => title === one.title))
  match((_, at) => before[at])
  let last = Math.max(0, ...before.map(({ id }) => Number(id.slice(2))))
  const requirements = now.map((one): Requirement => {
    const was = found.get(one)
    if (was === undefined) return { ...NEW, ...one, id: `R-${String(++last).padStart(3, '0')}` }
    if (linesOf(was) === linesOf(one)) return was
    const isOwnWords = was.description === linesOf(was).split('\n')[0]
    return { ...was, ...one, description: isOwnWords ? one.description : was.description }
  })
  const ids = new Set(requirements.map(({ id }) => id))
  return requirements.map((one) => ({ ...one, dependsOn: one.dependsOn.filter((id) => ids.has(id)) }))
}
