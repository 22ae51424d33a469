import type { Initialized } from '../../app/upkeep/init-settings.ts'
import type { WrittenSkill } from '../../app/upkeep/init-skill.ts'
import { terminalLine, terminalText } from '../../lib/text/terminal-text.ts'
import type { Style } from '../terminal/terminal.ts'

/** The written settings, and how to change them. */
export function initText({ file, text, warnings, agents }: Initialized, style: Style): string {
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
    agentLine(agents),
    'Edit it as needed; `bosun doctor` validates it. Commit it to share it.',
    '',
  ].join('\n')
}

function agentLine(agents: Initialized['agents']): string {
  const ready = agents.find(({ fix }) => fix === null) ?? agents[0]
  if (ready === undefined)
    return 'No coding agent is on the PATH: install one, or configure a command under `agents`; until then nothing can be started.'
  const { name, title, fix, adapter } = ready
  const lacks = adapter !== null && !adapter.isInstalled
  const tip = lacks ? ` To talk with it while it works: bosun crew install ${name}` : ''
  return terminalLine(
    `${title} (${name}) does the work${fix === null ? '.' : `, and is not signed in. ${fix}`}${tip}`,
  )
}

/** One line a file, and how to use them. */
export function skillText(files: readonly WrittenSkill[], style: Style): string {
  return [
    ...files.map((file) => fileLine(file, style)),
    '',
    'Commit them to share them. The skill hands a plan to Bosun; it needs `bosun` on the PATH.',
    '',
  ].join('\n')
}

function fileLine({ agent, path, call, outcome, why }: WrittenSkill, style: Style): string {
  const use = terminalLine(`${agent}: ${call}`)
  switch (outcome) {
    case 'written':
      return `wrote ${path} (${use})`
    case 'unchanged':
      return `${path} is up to date (${use})`
    case 'conflict':
      return style.yellow(
        `did not write ${path}: ${why ?? ''}; move it away and run \`bosun init --skill\` again`,
      )
  }
}
