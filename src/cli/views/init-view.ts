import type { Initialized } from '../../app/upkeep/init-settings.ts'
import { terminalLine, terminalText } from '../../lib/text/terminal-text.ts'
import type { Style } from '../terminal/terminal.ts'

/** What was written, and how to change it. */
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
    'Say under `agents` who does the work: until then nothing but the scripted agent does, for dry runs.',
    'Edit it as you like; `bosun doctor` says whether it is valid. Commit it if others are to use it.',
    '',
  ].join('\n')
}
