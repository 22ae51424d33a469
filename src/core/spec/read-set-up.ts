/** The set-up that an empty repository needs first. It may be a spec; any other text is one requirement. */
import { oneLine } from '../../lib/text/one-line.ts'
import { clip } from '../planning/readers/markdown/inline.ts'
import { readLines } from '../planning/readers/markdown/lines.ts'
import { readSpec } from './read-spec.ts'
import { bulletAt, isNone, unescaped } from './spec-markdown.ts'
import type { Requirement, Spec } from './spec.ts'

const LONGEST = 20_000
const MOST_CRITERIA = 20
const TITLE = 'Set up the repository'
const FALLBACK = 'the commands that build, test and check the project run from a fresh checkout'

export function readSetUp(text: string): Spec {
  const { spec } = readSpec(text, 'set-up')
  return spec ?? { ...EMPTY, requirements: [requirementOf(text.slice(0, LONGEST))] }
}

const EMPTY: Omit<Spec, 'requirements'> = {
  version: '1',
  priority: 'must',
  created: '1970-01-01',
  title: TITLE,
  vision: TITLE,
  inScope: [TITLE],
  outOfScope: [],
  notes: [],
}

function requirementOf(text: string): Requirement {
  const bullets = readLines(text).lines.flatMap((line) =>
    line.role === 'text' ? (bulletAt(line.text) ?? []) : [],
  )
  const boxes = bullets.filter(({ box }) => box)
  const items = (boxes.length > 0 ? boxes : bullets).map((item) => clip(unescaped(oneLine(item.text)), 500))
  const criteria = items.filter((item) => !isNone(item)).slice(0, MOST_CRITERIA)
  return {
    id: 'R-001',
    title: TITLE,
    type: 'infrastructure',
    priority: 'must',
    dependsOn: [],
    description: clip(text.trim(), 5000),
    criteria: criteria.length === 0 ? [FALLBACK] : criteria,
    line: 1,
  }
}
