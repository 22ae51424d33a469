/** One inbox item with everything needed to decide. Outside text is sanitized. */
import { terminalLine, terminalText } from '../../lib/text/terminal-text.ts'
import type { ReviewAnswer } from '../../protocol/task-answer.ts'
import { itemText } from './inbox-view.ts'
import type { Style } from '../terminal/terminal.ts'
import { atMost, blockText, section } from '../text.ts'

type Gate = ReviewAnswer['gates'][number]
type Task = NonNullable<ReviewAnswer['task']>

const MOST_FILES = 40
const MOST_KEY_LINES = 12

/** Everything but the diff. */
export function reviewLines(review: ReviewAnswer, style: Style): readonly string[] {
  const { task, item, blocks } = review
  const blocked = blocks.length === 0 ? 'nothing else' : blocks.join(', ')
  return blockText([
    [...itemText(item, style).split('\n'), `${'Blocks:'.padEnd(12)} ${terminalLine(blocked)}`],
    ...(task === null ? [] : taskBlocks(task, style)),
    section(
      style,
      'Gates',
      review.gates.flatMap((gate) => gateLines(gate, style)),
    ),
    section(style, 'Overrides', review.overrides.map(overrideLine)),
    section(style, 'Risks', review.risks.map(riskLine)),
    section(
      style,
      'Decisions',
      (task?.decisions ?? []).map(({ at, text }) => `${at} ${terminalLine(text)}`),
    ),
  ])
    .trimEnd()
    .split('\n')
}

function taskBlocks(task: Task, style: Style): readonly (readonly string[])[] {
  const { claim, review, files, revisions } = task
  const facts = `${task.tier}, attempt ${task.attempt}, revision ${revisions.used} of ${revisions.most}`
  const by = task.worker === null ? '' : `, by ${task.worker}`
  const paths = atMost(MOST_FILES, files.map(terminalLine), (left) => `and ${left} more`)
  return [
    section(style, terminalLine(`task ${task.id}: ${task.title}`), [`${facts}${by}`]),
    section(style, 'Claimed by the worker (not evidence)', claim === null ? [] : claimLines(claim)),
    section(
      style,
      'Acceptance criteria',
      task.criteria.flatMap((one) => criterionLines(one, style)),
    ),
    section(style, `Files (${files.length})`, paths),
    section(style, 'Review', review === null ? [] : reviewerLines(review)),
  ]
}

function claimLines({ explanation, self_assessment, blockers }: NonNullable<Task['claim']>): string[] {
  const lines = terminalText(explanation).split('\n')
  return [
    ...lines,
    ...blockers.map((blocker) => `blocker: ${terminalLine(blocker)}`),
    ...(self_assessment === null ? [] : [`self-assessment: ${terminalLine(self_assessment)}`]),
  ]
}

function criterionLines(
  { criterion, word, place, why }: Task['criteria'][number],
  style: Style,
): readonly string[] {
  const paint = { PASS: style.green, FAIL: style.red, UNTESTED: style.yellow }[word]
  const where = place === null ? '' : ` (${terminalLine(place)})`
  return [
    `${paint(word)}${' '.repeat(9 - word.length)}${terminalLine(criterion)}${where}`,
    ...(word === 'PASS' ? [] : [style.dim(`         ${terminalLine(why)}`)]),
  ]
}

function gateLines({ gate, outcome, summary, findings, runs }: Gate, style: Style): readonly string[] {
  const plain = (text: string): string => text
  const paint = {
    passed: style.green,
    failed: style.red,
    inconclusive: style.yellow,
    not_applicable: plain,
  }[outcome]
  const isGood = outcome === 'passed' || outcome === 'not_applicable'
  const shown = isGood ? findings.filter(({ blocks }) => blocks) : findings
  return [
    `${paint(outcome.replaceAll('_', ' '))} ${gate}: ${terminalLine(summary)}`,
    ...shown.map(({ text, file, line }) => `    ${terminalLine(placed(text, file, line))}`),
    ...runs.flatMap((run) => runLines(run, isGood, style)),
  ]
}

const placed = (text: string, file: string | null, line: number | null): string =>
  file === null ? text : `${file}${line === null ? '' : `:${line}`} ${text}`

function runLines(run: Gate['runs'][number], isGood: boolean, style: Style): readonly string[] {
  const { command, on, ended, counts, key_lines: keyLines, output, must_fail: mustFail } = run
  const tests = counts === null ? '' : `, ${counts.passed} of ${counts.run} tests passed`
  const where = on === 'base' ? ' on the base' : ''
  const what = mustFail ? ' (canary: these tests must fail)' : ''
  return [
    `    $ ${terminalLine(command)}${where}${what}: ${terminalLine(ended)}${tests}`,
    ...(isGood
      ? []
      : keyLines.slice(0, MOST_KEY_LINES).map((line) => style.dim(`      ${terminalLine(line)}`))),
    ...(output === null ? [] : [style.dim(`      full output: less ${terminalLine(output)}`)]),
  ]
}

function reviewerLines({ by, verdict, summary, issues }: NonNullable<Task['review']>): string[] {
  return [
    `${terminalLine(by)}: ${terminalLine(verdict.replaceAll('_', ' '))}. ${terminalLine(summary)}`,
    ...issues.flatMap(({ severity, description, location, how_to_fix: fix }) => [
      `${terminalLine(severity)}: ${terminalLine(description)} (${terminalLine(location)})`,
      ...(fix === '' ? [] : [`  ${terminalLine(fix)}`]),
    ]),
  ]
}

const overrideLine = ({ what, by, at, reason }: ReviewAnswer['overrides'][number]): string =>
  terminalLine(`${what}: overridden by ${by} at ${at}: ${reason}`)

function riskLine(risk: ReviewAnswer['risks'][number]): string {
  const who = risk.accepted_by === null ? '' : ` by ${risk.accepted_by}: ${risk.reason ?? ''}`
  return terminalLine(`${risk.id} (${risk.severity}, ${risk.status}${who}) ${risk.description}`)
}

/** The diff that would land, coloured like git's. */
export function diffLines(review: ReviewAnswer, style: Style): readonly string[] {
  const { diff } = review
  if (diff === null) return ['No work to show.']
  const text = diff.text === '' && !diff.is_cut ? 'No changes.' : diff.text.replace(/\n$/, '')
  const lines = text.split('\n').map((line) => paintDiff(safeLine(line), style))
  const rest = diff.is_cut ? [`The diff is cut; see all of it with: ${terminalLine(diff.command)}`] : []
  return [...lines, ...rest]
}

function paintDiff(line: string, style: Style): string {
  if (/^(diff --git|index |--- |\+\+\+ |rename |similarity |new file|deleted file)/.test(line)) {
    return style.bold(line)
  }
  if (line.startsWith('@@')) return style.cyan(line)
  if (line.startsWith('+')) return style.green(line)
  return line.startsWith('-') ? style.red(line) : line
}

/** The item with its diff. */
export function reviewText(review: ReviewAnswer, style: Style): string {
  const diff = ['', style.bold('Diff'), ...diffLines(review, style)]
  return `${[...reviewLines(review, style), ...diff].join('\n')}\n`
}

/** Keeps tabs, which indent code. */
const safeLine = (line: string): string => terminalText(line).replaceAll('\n', ' ')
