/** The text before and after the demo. */
import type { ThrowAwayPlace } from '../../app/plans/dry-run.ts'
import { wrapText } from '../../lib/text/terminal-text.ts'
import type { DemoReport } from './run-demo.ts'
import { formatDuration } from '../../lib/text/format-time.ts'
import type { Style, Terminal } from '../terminal/terminal.ts'

const INTRO = {
  plan:
    'Eight tasks in a throw-away repository, delivered with real workspaces, gates, reviews and commits. Only the agents ' +
    'are scripted: no model, no key, no network. Some of them misbehave on purpose.',
  sentence:
    'One sentence, understood by rules and delivered as a branch with a real workspace, gates, a review and a commit. Only ' +
    'the agent is scripted: no model, no key, no network.',
}
const TITLE = { plan: 'Bosun delivers a harbour log in', sentence: 'Bosun starts from a sentence in' }
const WIDEST = 110

export function demoHead(
  from: keyof typeof INTRO,
  { repository }: ThrowAwayPlace,
  { style, width }: Pick<Terminal, 'style' | 'width'>,
): string {
  const intro = wrapText(INTRO[from], Math.min(width, WIDEST)).map((line) => style.dim(line))
  return `${[style.bold(`${TITLE[from]} ${repository}`), ...intro, ''].join('\n')}\n`
}

export function demoText(report: DemoReport, style: Style): string {
  const { missing, branch, elapsed_ms: elapsed, commands = [] } = report
  const good =
    'story' in report
      ? `Everything happened as planned, and the log shows it (${formatDuration(elapsed)}):`
      : `From a sentence to ${branch ?? 'a branch'} in ${formatDuration(elapsed)}`
  const seen = 'story' in report ? report.story.filter(({ happened }) => happened) : []
  const further = commands.flatMap(({ line, what }) => [style.dim(`  # ${what}`), `  ${line}`])
  const blocks = [
    [
      missing.length === 0 ? style.bold(good) : style.red('The demo did not go as planned:'),
      ...seen.map(({ task, told }) => `  ${style.green('✓')} ${told} ${style.dim(`(task ${task})`)}`),
      ...missing.map((what) => `  ${style.red('✗')} ${what}`),
    ],
    ...(report.summary === null ? [] : [report.summary.split('\n')]),
    [style.bold('The branch, ready for you to merge:'), ...report.graph.trimEnd().split('\n')],
    ...(further.length === 0 ? [] : [[style.bold('Explore further:'), ...further]]),
    [style.dim(`Everything is in ${report.folder}. To remove it:`), `  ${report.cleanup}`],
  ]
  return `\n${blocks.map((lines) => lines.join('\n')).join('\n\n')}\n`
}
