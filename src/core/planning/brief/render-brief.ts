/** The text a worker reads, built from its brief. Nobody writes prompts by hand for a task. */
import type { Brief, FoundInBrief } from './brief.ts'
import { branchWords } from './branch-text.ts'
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
        ['Your area', `${contract.ownership} (nobody else works in it meanwhile)`],
      ]),
    ]),
    brief.revision === null ? '' : revisionSection(brief.revision),
    section('Requirements', numbered(brief.requirements)),
    section('Files', fileLines(brief)),
    section('Not part of this task', bullets(contract.non_goals)),
    section('Context', contextLines(brief)),
    section('What finished tasks left for you', dependencyLines(brief)),
    section('What is there already', foundLines(brief)),
    section('Where somebody else is at it', branchLines(brief)),
    section('Constraints', constraintLines(brief)),
    section('The plan in its author’s words', brief.notes.trim() === '' ? [] : [brief.notes.trim()]),
    section('Your workspace', bullets(brief.workspace)),
    section('Tests', testLines(brief)),
    section('Done means', bullets(contract.definition_of_done)),
    section('How to work', WORKING),
    section('Say how it goes', checkinLines(brief.checkin.command)),
    section('What to hand in', reportLines(brief.reportPath)),
  ]
  return `${sections.filter((text) => text !== '').join('\n\n')}\n`
}

const WORKING = bullets([
  'Use the skills the situation demands (TDD, debugging, verification); this is no checklist.',
  'Read the files named above before you change anything.',
  'Do not commit, push, tag or switch branches. Your changes are taken from the work tree as they are.',
  'Stay within the files and the area of this task. If it cannot be done so, say it in `blockers` and stop.',
  'If a requirement can be read in two ways, do not guess: put it in `ambiguities`.',
  'Tests that were there, settings of tests, linters, types and CI, scripts, agent settings and ignore files are protected: change one only where this task names it.',
  'The checks are run again without you. Any change to tests or settings made to pass a gate means the work is refused.',
])

function revisionSection(revision: NonNullable<Brief['revision']>): string {
  const task = { checks: 'fix only what is flagged', person: 'do what a person asks for, and no more' }
  return section(`This is attempt ${revision.attempt}: ${task[revision.from]}`, [
    ...bullets(revision.feedback),
    ...(revision.previousDraft === null ? [] : ['', `What was handed in before: ${revision.previousDraft}`]),
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
    ['At most', `${brief.contract.patch_size_limit} files`],
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
    ...(delta.trim() === '' ? [] : ['', `Changed lately: ${delta.trim()}`]),
  ]
}

function dependencyLines(brief: Brief): readonly string[] {
  return brief.dependencyOutputs.flatMap((output) => [
    `- Task ${output.taskId}, ${output.title}: ${output.summary}`,
    ...(output.files.length === 0 ? [] : [`  Files: ${paths(output.files)}`]),
    ...(output.interfaces.length === 0 ? [] : [`  Interfaces: ${output.interfaces.join('; ')}`]),
  ])
}

/** At the start commit; what finished tasks left since then is told by them. */
function foundLines({ audit }: Brief): readonly string[] {
  const { found } = audit
  if (found === null) return []
  return [
    `The audit of the start commit found this task ${found.status}: ${found.evidence}.`,
    ...(found.files.length === 0 ? [] : [EXTEND, '', ...bullets(found.files.map(foundLine))]),
  ]
}

const EXTEND =
  'These files are there: read and extend them, and build nothing a second time. Names in them are quoted as found.'

function foundLine({ path, holds, more, isTest, passes }: FoundInBrief): string {
  const test = isTest ? ` (a test; ${PASSES.get(passes) ?? ''})` : ''
  return `${quoted(path)}${test}${holds.length === 0 ? '' : `: ${quotedList(holds, more)}`}`
}

const PASSES: ReadonlyMap<boolean | null, string> = new Map([
  [true, 'it passes'],
  [false, 'it does not pass'],
  [null, 'whether it passes is not known'],
])

function branchLines({ audit }: Brief): readonly string[] {
  if (audit.branches.length === 0) return []
  const seen = audit.branches.map(
    (branch) => `${branchWords(branch)} and touches ${quotedList(branch.files, branch.more)}`,
  )
  return [
    ...bullets(seen),
    '',
    'They are not in your workspace and not yours to fetch or merge; a person decides what becomes of them. Do your task as it is written.',
  ]
}

function constraintLines(brief: Brief): readonly string[] {
  const { io_contract: io } = brief.contract
  const breaking = io.breaking_change
    ? 'This task may break a public contract: say what breaks and how to move on.'
    : 'Do not break a public contract.'
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
    `${command} completed 100 --deliverables "what is there now"`,
    `${command} failed 60 --failure-reason "why"              # instead, if it cannot be done`,
    '```',
    '',
    'It prints warnings and answers that wait for you. If you are stuck, add `--request blocked`.',
  ]
}

function reportLines(path: string): readonly string[] {
  return [
    `Write your evidence as JSON to \`${path}\`, with these keys:`,
    '',
    ...bullets([
      '`explanation`: your approach in a few sentences',
      '`files`: `{ "created": [], "modified": [], "deleted": [] }`',
      '`tests`, `lint`, `typecheck`: `{ "added": [], "command": "", "evidence": "the key lines of the output" }`',
      '`blockers`, `ambiguities`: lists of sentences, empty if there are none',
      '`risks`: sentences, or `{ "description": "", "severity": "critical|normal|low" }`',
      '`review_note`: `{ "summary": "what changed, in one or two sentences", "risks": [], "rollback": "" }`',
      '`criteria`: `[{ "criterion": 1, "file": "", "line": 1 }]`, each requirement by number with the place that fulfils it',
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
