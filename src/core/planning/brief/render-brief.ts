/** Renders a worker's brief as text. */
import type { Brief, FoundInBrief } from './brief.ts'
import { formatBranch } from './branch-text.ts'
import type { Command } from '../plan.ts'
import { quoted, quotedList } from '../../../lib/text/quoted.ts'
import { oneLine } from '../../../lib/text/one-line.ts'

export function renderBrief(brief: Brief): string {
  const { contract } = brief
  const sections = [
    section(`Task ${contract.task_id}: ${contract.title}`, [
      brief.summary,
      ...lines([
        ['Plan', brief.planTitle],
        ['Tier', contract.tier],
        ['Your area', `${contract.ownership} (no other worker changes it meanwhile)`],
      ]),
    ]),
    brief.revision === null ? '' : revisionSection(brief.revision),
    section('Requirements', numbered(brief.requirements)),
    section('Files', fileLines(brief)),
    section('Out of scope', bullets(contract.non_goals)),
    section('Context', contextLines(brief)),
    section('Results of finished tasks', dependencyLines(brief)),
    section('What exists already', foundLines(brief)),
    section('Branches with related work', branchLines(brief)),
    section('Constraints', constraintLines(brief)),
    section('From the plan', brief.notes.trim() === '' ? [] : [brief.notes.trim()]),
    section('Your workspace', bullets(brief.workspace)),
    section('Tests', testLines(brief)),
    section('Definition of done', bullets(contract.definition_of_done)),
    section('How to work', WORKING),
    section('Check-ins', checkinLines(brief.checkin.command)),
    section('Your report', reportLines(brief.reportPath)),
  ]
  return `${sections.filter((text) => text !== '').join('\n\n')}\n`
}

const WORKING = bullets([
  'Use the skills the situation demands (TDD, debugging, verification); this is not a checklist.',
  'Read the files named above before you change anything.',
  'Do not commit, push, tag or switch branches. Bosun collects your changes from the work tree.',
  'Stay within the files and the area of this task. If that is impossible, report it in `blockers` and stop.',
  'If a requirement is ambiguous, do not guess: report it in `ambiguities`.',
  'Existing tests, settings of tests, linters, types and CI, scripts, agent settings and ignore files are protected: change one only if this task names it.',
  'Bosun runs the checks itself. Work that changes tests or settings in order to pass a gate is refused.',
])

function revisionSection(revision: NonNullable<Brief['revision']>): string {
  const task = { checks: 'fix only what is flagged', person: 'do what a person asks for, and nothing else' }
  return section(`This is attempt ${revision.attempt}: ${task[revision.from]}`, [
    ...bullets(revision.feedback),
    ...(revision.previousDraft === null ? [] : ['', `Previous draft: ${revision.previousDraft}`]),
  ])
}

function fileLines(brief: Brief): readonly string[] {
  const { create, modify, delete: deleted } = brief.contract.expected_files
  return lines([
    ['Create', paths(create)],
    ['Modify', paths(modify)],
    ['Delete', paths(deleted)],
    ['Read first', paths(brief.filesToReadFirst)],
    ['Pattern to follow', brief.patternToFollow ?? ''],
    ['Limit', `${brief.contract.patch_size_limit} files`],
  ])
}

function contextLines(brief: Brief): readonly string[] {
  const { shared, task_delta: delta } = brief.contract.context
  return [
    ...lines([
      ['Architecture', oneLine(brief.architecture ?? '')],
      ['Key paths', paths(brief.keyPaths)],
      ['Patterns', brief.patterns.join('; ')],
      ['Spec and design', paths(brief.specArtifacts)],
    ]),
    ...(shared.trim() === '' ? [] : ['', shared.trim()]),
    ...(delta.trim() === '' ? [] : ['', `Recent changes: ${delta.trim()}`]),
  ]
}

function dependencyLines(brief: Brief): readonly string[] {
  return brief.dependencyOutputs.flatMap((output) => [
    `- Task ${output.taskId}, ${output.title}: ${output.summary}`,
    ...(output.files.length === 0 ? [] : [`  Files: ${paths(output.files)}`]),
    ...(output.interfaces.length === 0 ? [] : [`  Interfaces: ${output.interfaces.join('; ')}`]),
  ])
}

/** At the start commit; later results are listed with the finished tasks. */
function foundLines({ audit }: Brief): readonly string[] {
  const { found } = audit
  if (found === null) return []
  return [
    `The audit of the start commit found this task ${found.status}: ${found.evidence}.`,
    ...(found.files.length === 0 ? [] : [EXTEND, '', ...bullets(found.files.map(foundLine))]),
  ]
}

const EXTEND =
  'These files exist: read and extend them instead of building them again. Names in them are quoted as found.'

function foundLine({ path, holds, more, isTest, passes }: FoundInBrief): string {
  const test = isTest ? ` (test, ${PASSES.get(passes) ?? ''})` : ''
  return `${quoted(path)}${test}${holds.length === 0 ? '' : `: ${quotedList(holds, more)}`}`
}

const PASSES: ReadonlyMap<boolean | null, string> = new Map([
  [true, 'passes'],
  [false, 'fails'],
  [null, 'result unknown'],
])

function branchLines({ audit }: Brief): readonly string[] {
  if (audit.branches.length === 0) return []
  const seen = audit.branches.map(
    (branch) => `${formatBranch(branch)} and touches ${quotedList(branch.files, branch.more)}`,
  )
  return [
    ...bullets(seen),
    '',
    'These branches are not in your workspace; do not fetch or merge them. A person decides about them. Do your task as written.',
  ]
}

function constraintLines(brief: Brief): readonly string[] {
  const { io_contract: io } = brief.contract
  const breaking = io.breaking_change
    ? 'This task may break a public interface: describe what breaks and how to migrate.'
    : 'Do not break a public interface.'
  return bullets([...brief.constraints, ...io.expected_interfaces.map((text) => `Expose: ${text}`), breaking])
}

function testLines(brief: Brief): readonly string[] {
  const { contract } = brief
  const { environment } = contract
  return lines([
    ['Add', paths(contract.tests_to_add)],
    ['Run', contract.tests_to_run.map((command) => `\`${oneLine(command)}\``).join(', ')],
    ['Gates of this task', brief.checks.join('; ')],
    ['Test command', shown(environment.test_command)],
    ['Lint command', shown(environment.lint_command)],
    ['Typecheck command', shown(environment.typecheck_command)],
    ['Build command', shown(environment.build_command)],
  ])
}

function checkinLines(command: string): readonly string[] {
  return [
    'Check in with this command; it returns at once. First within 5 minutes of your start, then at natural points:',
    '',
    '```sh',
    `${command} starting 5`,
    `${command} in_progress 15 --current-step "planned"`,
    `${command} in_progress 40 --current-step "building"      # and every 10 minutes while building`,
    `${command} in_progress 85 --current-step "tested"`,
    `${command} completed 100 --deliverables "what you delivered"`,
    `${command} failed 60 --failure-reason "why"              # instead, if you cannot do it`,
    '```',
    '',
    'It prints warnings and answers for you. If you are stuck, add `--request blocked`.',
  ]
}

function reportLines(path: string): readonly string[] {
  return [
    `Write your report as JSON to \`${path}\`, with these keys:`,
    '',
    ...bullets([
      '`explanation`: your approach in a few sentences',
      '`files`: `{ "created": [], "modified": [], "deleted": [] }`',
      '`tests`, `lint`, `typecheck`: `{ "added": [], "command": "", "evidence": "the key lines of the output" }`',
      '`blockers`, `ambiguities`: lists of sentences, empty if there are none',
      '`risks`: sentences, or `{ "description": "", "severity": "critical|normal|low" }`',
      '`review_note`: `{ "summary": "what changed, in one or two sentences", "risks": [], "rollback": "" }`',
      '`criteria`: `[{ "criterion": 1, "file": "", "line": 1 }]`, each requirement by number, with the place that fulfils it',
      '`usage`: `{ "tokens_in": 0, "tokens_out": 0, "usd": 0 }`, if you know it',
      '`self_assessment`: `confident`, `uncertain` or `blocked`',
    ]),
  ]
}

function section(title: string, body: readonly string[]): string {
  return body.length === 0 ? '' : `## ${title}\n\n${body.join('\n')}`
}

/** `- Name: value` for each that has a value. */
function lines(pairs: readonly (readonly [name: string, value: string])[]): readonly string[] {
  return bullets(pairs.filter(([, value]) => value !== '').map(([name, value]) => `${name}: ${value}`))
}

function bullets(items: readonly string[]): readonly string[] {
  return items.map((item) => `- ${item}`)
}

function numbered(items: readonly string[]): readonly string[] {
  return items.map((item, at) => `${at + 1}. ${item}`)
}

function paths(items: readonly string[]): string {
  return items.map((item) => `\`${item}\``).join(', ')
}

function shown(command: Command | null): string {
  if (command === null) return ''
  return `\`${typeof command === 'string' ? oneLine(command) : command.join(' ')}\``
}
