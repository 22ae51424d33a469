/** Reads the header of a Markdown plan: title, goal, stack, design, constraints. */
import type { PlanDraft } from '../../draft.ts'
import { blocksOf, type Block, type TextBlock } from './blocks.ts'
import { isPathLike } from './file-list.ts'
import { isPhase } from './headings.ts'
import { codeSpans, plainText, withoutParens } from './inline.ts'
import { labelOf, labelOfHeading, type LabelName } from './labels.ts'
import type { Line } from './lines.ts'

export type HeaderRead = Pick<
  PlanDraft,
  'title' | 'design' | 'goal' | 'architecture' | 'techStack' | 'constraints'
>

const MAX_CONSTRAINTS = 200
const DESIGN_INLINE = /\bdesign (?:doc|spec|document)\*{0,2}:\*{0,2}\s{0,4}(?=[`[\w./])/i

const HEADER_NAMES = ['goal', 'architecture', 'tech_stack', 'design', 'constraints'] as const
type HeaderName = (typeof HEADER_NAMES)[number]

export function readHeader(others: readonly Line[], firstTaskLine: number): HeaderRead {
  const blocks = blocksOf(others)
  const found = new Map<HeaderName, TextBlock[]>()
  let title: string | undefined
  let section: HeaderName | null = null
  let listFor: HeaderName | null = null
  let inHeader = true
  for (const block of blocks) {
    if (block.kind === 'heading') {
      if (block.heading.level === 1) title ??= block.heading.text
      if (isPhase(block.heading) || block.line >= firstTaskLine) inHeader = false
      section = sectionOf(block)
      listFor = null
    } else if (block.kind !== 'code' && !block.text.startsWith('>')) {
      const label = labelOf(block.text)
      const name = label === null ? null : headerName(label.name)
      if (name !== null && label !== null && inHeader) {
        listFor = name
        add(found, name, { ...block, text: label.rest })
      } else if (block.kind === 'item' && listFor !== null) {
        add(found, listFor, block)
      } else {
        listFor = null
        if (section !== null) add(found, section, block)
      }
    }
  }
  return {
    title,
    design: designOf(found.get('design') ?? [], blocks, firstTaskLine),
    goal: firstText(found.get('goal')),
    architecture: firstText(found.get('architecture')),
    techStack: firstText(found.get('tech_stack')),
    constraints: (found.get('constraints') ?? [])
      .map((block) => block.text)
      .filter((text) => text !== '')
      .slice(0, MAX_CONSTRAINTS),
  }
}

function sectionOf(block: Extract<Block, { kind: 'heading' }>): HeaderName | null {
  const label = labelOfHeading(withoutParens(block.heading.text))
  return label === undefined ? null : headerName(label)
}

function headerName(name: LabelName): HeaderName | null {
  return HEADER_NAMES.find((known) => known === name) ?? null
}

function add(found: Map<HeaderName, TextBlock[]>, name: HeaderName, block: TextBlock): void {
  const before = found.get(name)
  if (before === undefined) found.set(name, [block])
  else before.push(block)
}

function firstText(blocks: readonly TextBlock[] | undefined): string | undefined {
  const first = blocks?.find((block) => block.text !== '')
  return first === undefined ? undefined : plainText(first.text)
}

/** The link to the design document: its own line, or a remark in another header line. */
function designOf(
  named: readonly TextBlock[],
  blocks: readonly Block[],
  firstTaskLine: number,
): PlanDraft['design'] {
  for (const block of named) {
    const path = linkedPath(block.text)
    if (path !== null) return { path, line: block.line }
  }
  for (const block of blocks) {
    if (block.line >= firstTaskLine) break
    if (block.kind === 'heading' || block.kind === 'code') continue
    const match = DESIGN_INLINE.exec(block.text)
    const path = match === null ? null : linkedPath(block.text.slice(match.index + match[0].length))
    if (path !== null) return { path, line: block.line }
  }
  return undefined
}

function linkedPath(text: string): string | null {
  const link = /\[[^[\]]{0,300}\]\(([^()\s]{1,500})\)/.exec(text)?.[1]
  if (link !== undefined && isPathLike(link)) return link
  const span = codeSpans(text).find(({ code }) => isPathLike(code))?.code
  if (span !== undefined) return span
  const word =
    text
      .trim()
      .split(/\s/, 1)[0]
      ?.replace(/[.,;]$/, '') ?? ''
  return isPathLike(word) ? word : null
}
