import type { ReleaseAnswer } from '../../protocol/release-answer.ts'
import type { ReleaseProof } from '../../app/releases/verify-release.ts'
import { terminalLine, terminalText } from '../../lib/text/terminal-text.ts'
import type { Style } from '../terminal/terminal.ts'

/** What a person reads first; empty before there is one. */
export const summaryText = ({ summary }: Pick<ReleaseAnswer, 'summary'>): string =>
  summary === null ? '' : terminalText(summary)

/** One line per check, then the result. */
export function proofText({ plan, manifest, sha, ok, checks }: ReleaseProof, style: Style): string {
  const names = checks.map(({ id, task }) => (task === null ? id : `task ${task}: ${id}`))
  const width = Math.max(...names.map((name) => name.length))
  const lines = checks.map((check, at) => {
    const mark = check.ok ? style.green('ok    ') : style.red('FAILED')
    return `${mark}  ${terminalLine(names[at] ?? '').padEnd(width)}  ${terminalLine(check.message)}`
  })
  const failed = checks.filter((check) => !check.ok).length
  const end = ok
    ? style.green(`${plan} matches its manifest: ${manifest} at ${sha.slice(0, 12)}`)
    : style.red(`${plan} does not match its manifest: ${failed} of ${checks.length} checks failed`)
  return `${lines.join('\n')}\n\n${end}\n`
}
