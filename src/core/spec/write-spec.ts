/** Writes a spec as Markdown that `readSpec` reads back to the same spec. */
import { oneLine } from '../../lib/text/one-line.ts'
import { readLines } from '../planning/readers/markdown/lines.ts'
import { escaped, escapedHeading } from './spec-markdown.ts'
import { MAX_SPEC_BYTES, type Requirement, type Spec } from './spec.ts'

export function specText(spec: Spec): string {
  const parts = [
    '---',
    `version: "${spec.version}"`,
    `priority: ${spec.priority}`,
    `created: ${spec.created}`,
    '---',
    '',
    `# Feature: ${heading(spec.title)}`,
    '',
    '## Vision',
    '',
    prose(spec.vision),
    '',
    '## Scope',
    '',
    '### In Scope',
    '',
    ...spec.inScope.map((item) => `- ${inline(item)}`),
    '',
    '### Out of Scope',
    '',
    ...(spec.outOfScope.length === 0 ? ['- None'] : spec.outOfScope.map((item) => `- ${inline(item)}`)),
    '',
    '## Requirements',
    '',
    ...spec.requirements.flatMap(requirementLines),
    ...spec.notes.flatMap((note) => [`## ${heading(note.heading)}`, '', prose(note.text), '']),
  ]
  return `${parts.join('\n').trimEnd()}\n`
}

function requirementLines(requirement: Requirement): readonly string[] {
  const { id, title, type, priority, dependsOn, description, criteria } = requirement
  return [
    `### ${id}: ${heading(title)}`,
    '',
    `**Type:** ${type}`,
    `**Priority:** ${priority}`,
    `**Dependencies:** ${dependsOn.length === 0 ? 'None' : dependsOn.join(', ')}`,
    '',
    '**Description:**',
    '',
    prose(description),
    '',
    '**Acceptance Criteria:**',
    '',
    ...criteria.map((criterion) => `- [ ] ${inline(criterion)}`),
    '',
  ]
}

const inline = (text: string): string => escaped(oneLine(text.replaceAll('\0', '')))
const heading = (text: string): string => escapedHeading(oneLine(text.replaceAll('\0', '')))

/** Code blocks stay as they are where each is closed; every other line is escaped. */
function prose(text: string): string {
  const { lines, notes } = readLines(text.replaceAll('\0', '').trim(), MAX_SPEC_BYTES)
  return lines
    .map(({ text: line, role }) => {
      const isCode = notes.length === 0 && (role === 'code' || role === 'fence')
      return isCode ? line : escaped(line.trimEnd())
    })
    .join('\n')
    .replace(/\n{3,}/g, '\n\n')
}
