import type { ReleaseProof } from '../../app/releases/verify-release.ts'
import { terminalLine } from '../../lib/text/terminal-text.ts'
import type { Style } from '../terminal/terminal.ts'

/** One line a check, those of a task under its name, and what it comes to. */
export function proofText({ plan, manifest, sha, ok, checks }: ReleaseProof, style: Style): string {
  const names = checks.map(({ id, task }) => (task === null ? id : `task ${task}: ${id}`))
  const width = Math.max(...names.map((name) => name.length))
  const lines = checks.map((check, at) => {
    const mark = check.ok ? style.green('ok    ') : style.red('FAILED')
    return `${mark}  ${terminalLine(names[at] ?? '').padEnd(width)}  ${terminalLine(check.message)}`
  })
  const failed = checks.filter((check) => !check.ok).length
  const end = ok
    ? style.green(`${plan} is what its manifest says: ${manifest} at ${sha.slice(0, 12)}`)
    : style.red(`${plan} is not what its manifest says: ${failed} of ${checks.length} checks failed`)
  return `${lines.join('\n')}\n\n${end}\n`
}
