/** The demo as people read it: what it is before, what came of it after. */
import type { DemoPlace } from '../../app/demo/make-demo.ts'
import { wrapText } from '../../lib/text/text-width.ts'
import type { LookFurther } from '../demo/demo-commands.ts'
import { formatDuration } from '../../lib/text/format-time.ts'
import type { Style, Terminal } from '../terminal/terminal.ts'

export interface DemoReport extends LookFurther {
  readonly folder: string
  readonly repository: string
  readonly home: string
  readonly plan: string
  readonly outcome: string
  readonly completed: number
  readonly branch: string | null
  readonly manifest: string | null
  readonly commits: readonly { readonly task: string; readonly sha: string }[]
  readonly summary: string | null
  readonly graph: string
  readonly story: readonly {
    readonly name: string
    readonly task: string
    readonly told: string
    readonly happened: boolean
  }[]
  /** What was promised and did not happen. */
  readonly missing: readonly string[]
  readonly elapsed_ms: number
}

const INTRO =
  'Eight tasks in a repository made for this, delivered for real: workspaces, gates, reviews and commits are as with ' +
  'any agent. Only the crew is scripted: no model, no key, no network. Some of it misbehaves on purpose.'
const WIDEST = 110

export function demoHead(
  { repository }: DemoPlace,
  { style, width }: Pick<Terminal, 'style' | 'width'>,
): string {
  const intro = wrapText(INTRO, Math.min(width, WIDEST)).map((line) => style.dim(line))
  return `${[style.bold(`Bosun delivers a harbour log in ${repository}`), ...intro, ''].join('\n')}\n`
}

export function demoText(report: DemoReport, style: Style): string {
  const { story, missing } = report
  const seen = story
    .filter(({ happened }) => happened)
    .map(({ task, told }) => `  ${style.green('✓')} ${told} ${style.dim(`(task ${task})`)}`)
  const lost = missing.map((what) => `  ${style.red('✗')} ${what}`)
  const head =
    missing.length === 0
      ? style.bold(`All of it happened, and the log has it (${formatDuration(report.elapsed_ms)}):`)
      : style.red('The demo did not keep its word:')
  const further = report.commands.flatMap(({ line, what }) => [style.dim(`  # ${what}`), `  ${line}`])
  const blocks = [
    [head, ...seen, ...lost],
    ...(report.summary === null ? [] : [report.summary.split('\n')]),
    [style.bold('The branch, which nobody but you merges:'), ...report.graph.trimEnd().split('\n')],
    [style.bold('Look further:'), ...further],
    [style.dim(`Everything is in ${report.folder}. When you have seen enough:`), `  ${report.cleanup}`],
  ]
  return `\n${blocks.map((lines) => lines.join('\n')).join('\n\n')}\n`
}
