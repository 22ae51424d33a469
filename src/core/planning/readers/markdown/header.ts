/** Reads the header of a Markdown plan: title, goal, stack, design, constraints. */
import type { PlanDraft } from '../../draft.ts'
import { blocksOf, type Block, type TextBlock } from './blocks.ts'
import { isPathLike } from './file-list.ts'
import { isPhase } from './headings.ts'
import { codeSpans, plainText, withoutParens } from './inline.ts'
import { isHeaderLabel, labelOf, labelOfHeading, type HeaderName } from './labels.ts'
import type { Line } from './lines.ts'

export type HeaderRead = Pick<
  PlanDraft,
  'title' | 'design' | 'goal' | 'architecture' | 'techStack' | 'constraints'
>

const MAX_CONSTRAINTS = 200
const DESIGN_INLINE = /\bdesign (?:doc|spec|document)\*{0,2}:\*{0,2}\s{0,4}(?=[`[\w./])/i

export function readHeader(others: readonly Line[], firstTaskLine: number): HeaderRead {
  const blocks = blocksOf(others)
  const found: { readonly name: HeaderName; readonly block: TextBlock }[] = []
  let title: string | undefined
  let section: HeaderName | null = null
  let listFor: HeaderName | null = null
  let inHeader = true
  for (const block of blocks) {
    if (block.kind === 'heading') {
      if (block.heading.level === 1) title ??= block.heading.text
      if (isPhase(block.heading) || block.line >= firstTaskLine) inHeader = false
      const label = labelOfHeading(withoutParens(block.heading.text))
      section = label !== undefined && isHeaderLabel(label) ? label : null
      listFor = null
    } else if (block.kind !== 'code' && !block.text.startsWith('>')) {
      const label = labelOf(block.text)
      if (label !== null && isHeaderLabel(label.name) && inHeader) {
        listFor = label.name
        found.push({ name: label.name, block: { ...block, text: label.rest } })
        continue
      }
      if (block.kind !== 'item') listFor = null
      const name: HeaderName | null = listFor ?? section
      if (name !== null) found.push({ name, block })
    }
  }
  const under = (name: HeaderName): TextBlock[] =>
    found.filter((one) => one.name === name && one.block.text !== '').map(({ block }) => block)
  const first = (name: HeaderName): string | undefined => {
    const [block] = under(name)
    return block === undefined ? undefined : plainText(block.text)
  }
  return {
    title,
    design: designOf(under('design'), blocks, firstTaskLine),
    goal: first('goal'),
    architecture: first('architecture'),
    techStack: first('tech_stack'),
    constraints: under('constraints')
      .map(({ text }) => text)
      .slice(0, MAX_CONSTRAINTS),
  }
}

/** The link to the design document: its own line, or a remark in another header line. */
function designOf(
  named: readonly TextBlock[],
  blocks: readonly Block[],
  firstTaskLine: number,
): PlanDraft['design'] {
  const remarks = blocks.flatMap((block) => {
    const text = 'text' in block && block.line < firstTaskLine ? block.text : ''
    const match = DESIGN_INLINE.exec(text)
    return match === null ? [] : [{ line: block.line, text: text.slice(match.index + match[0].length) }]
  })
  for (const { line, text } of [...named, ...remarks]) {
    const path = linkedPath(text)
    if (path !== undefined) return { path, line }
  }
  return undefined
}

function linkedPath(text: string): string | undefined {
  const link = /\[[^[\]]{0,300}\]\(([^()\s]{1,500})\)/.exec(text)?.[1] ?? ''
  const [word = ''] = text.trim().split(/\s/, 1)
  return [link, ...codeSpans(text).map(({ code }) => code), word.replace(/[.,;]$/, '')].find(isPathLike)
}
