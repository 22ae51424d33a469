import type { Initialized } from '../../app/upkeep/init-settings.ts'
import { terminalLine, terminalText } from '../../lib/text/terminal-text.ts'
import type { Style } from '../terminal/terminal.ts'

/** The written settings, and how to change them. */
export function initText({ file, text, warnings }: Initialized, style: Style): string {
  const missing = warnings.map((warning) => style.yellow(terminalLine(warning)))
  return [
    `wrote ${terminalLine(file)}:`,
    '',
    ...terminalText(text)
      .trimEnd()
      .split('\n')
      .map((line) => style.dim(`  ${line}`)),
    '',
    ...missing,
    'Configure an agent under `agents`; until then only the scripted dry-run agent is used.',
    'Edit it as needed; `bosun doctor` validates it. Commit it to share it.',
    '',
  ].join('\n')
}
