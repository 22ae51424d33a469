/** The text before and after the demo. */
import type { ThrowAwayPlace } from '../../app/plans/throw-away.ts'
import { wrapText } from '../../lib/text/text-width.ts'
import type { DemoReport } from './run-demo.ts'
import type { SentenceReport } from './run-sentence.ts'
import { formatDuration } from '../../lib/text/format-time.ts'
import type { Style, Terminal } from '../terminal/terminal.ts'

const INTRO =
  'Eight tasks in a throw-away repository, delivered with real workspaces, gates, reviews and commits. Only the agents ' +
  'are scripted: no model, no key, no network. Some of them misbehave on purpose.'
const WIDEST = 110

export function demoHead(
  { repository }: ThrowAwayPlace,
  { style, width }: Pick<Terminal, 'style' | 'width'>,
): string {
  const intro = wrapText(INTRO, Math.min(width, WIDEST)).map((line) => style.dim(line))
  return `${[style.bold(`Bosun delivers a harbour log in ${repository}`), ...intro, ''].join('\n')}\n`
}

const SENTENCE_INTRO =
  'One sentence, understood by rules and delivered as a branch with a real workspace, gates, a review and a commit. Only ' +
  'the agent is scripted: no model, no key, no network.'

export function sentenceHead(
  { repository }: ThrowAwayPlace,
  { style, width }: Pick<Terminal, 'style' | 'width'>,
): string {
  const intro = wrapText(SENTENCE_INTRO, Math.min(width, WIDEST)).map((line) => style.dim(line))
  return `${[style.bold(`Bosun starts from a sentence in ${repository}`), ...intro, ''].join('\n')}\n`
}

export function sentenceText(report: SentenceReport, style: Style): string {
  const { missing, branch, elapsed_ms: elapsed } = report
  const head =
    missing.length === 0
      ? [style.bold(`From a sentence to ${branch ?? 'a branch'} in ${formatDuration(elapsed)}`)]
      : [
          style.red('The demo did not go as planned:'),
          ...missing.map((what) => `  ${style.red('✗')} ${what}`),
        ]
  const blocks = [
    head,
    ...(report.summary === null ? [] : [report.summary.split('\n')]),
    [style.bold('The branch, ready for you to merge:'), ...report.graph.trimEnd().split('\n')],
    [style.dim(`Everything is in ${report.folder}. To remove it:`), `  ${report.cleanup}`],
  ]
  return `\n${blocks.map((lines) => lines.join('\n')).join('\n\n')}\n`
}

export function demoText(report: DemoReport, style: Style): string {
  const { story, missing } = report
  const seen = story
    .filter(({ happened }) => happened)
    .map(({ task, told }) => `  ${style.green('✓')} ${told} ${style.dim(`(task ${task})`)}`)
  const failed = missing.map((what) => `  ${style.red('✗')} ${what}`)
  const head =
    missing.length === 0
      ? style.bold(
          `Everything happened as planned, and the log shows it (${formatDuration(report.elapsed_ms)}):`,
        )
      : style.red('The demo did not go as planned:')
  const further = report.commands.flatMap(({ line, what }) => [style.dim(`  # ${what}`), `  ${line}`])
  const blocks = [
    [head, ...seen, ...failed],
    ...(report.summary === null ? [] : [report.summary.split('\n')]),
    [style.bold('The branch, ready for you to merge:'), ...report.graph.trimEnd().split('\n')],
    [style.bold('Explore further:'), ...further],
    [style.dim(`Everything is in ${report.folder}. To remove it:`), `  ${report.cleanup}`],
  ]
  return `\n${blocks.map((lines) => lines.join('\n')).join('\n\n')}\n`
}
