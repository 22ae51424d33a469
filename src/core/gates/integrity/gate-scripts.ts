/** Scripts that gates run; they are protected like settings. */
import { commandText } from '../../test-reports/focus-command.ts'
import { normalPath } from '../../languages/paths.ts'
import type { Command } from '../../planning/plan.ts'
import { packageParts } from './file-parts.ts'

/** A test command may also start the tested program; checking scripts are recognized by folder or name. */
const CHECKING =
  /(^|\/)(\.ci|ci|scripts?|tools?|hack|build)\/|(^|[/._-])(lint|check|test|tests|verify|ci)[._-]?[^/]*$/i
const FILE = /^[\w@.-]+(\/[\w@.-]+)*\.[A-Za-z]\w{0,4}$/
/** Script files may have no extension. */
const BARE = /^(\.\/)?[\w.-]+(\/[\w.-]+)+$/
const MOST = 50

/** The files named by these commands and by the `package.json` scripts they run. */
export function filesOfCommands(
  commands: readonly (Command | null)[],
  manifest: readonly string[] | null,
): readonly string[] {
  const texts = commands.flatMap((command) => (command === null ? [] : [commandText(command)]))
  const scripts = manifest === null ? null : packageParts(manifest)
  for (let at = 0; at < texts.length && at < MOST; at++) {
    for (const script of scriptsIn(texts[at] ?? '')) {
      for (const name of [script, `pre${script}`, `post${script}`]) {
        const text = scripts?.get(`scripts.${name}`)
        if (text !== undefined && !texts.includes(text)) texts.push(text)
      }
    }
  }
  const words = texts.slice(0, MOST).flatMap((text) => text.slice(0, 4_000).split(/[\s"'`;&|()=]+/))
  const files = words
    .filter((word) => FILE.test(word.replace(/^\.\//, '')) || BARE.test(word))
    .map(normalPath)
  return [...new Set(files)].filter((path) => CHECKING.test(path))
}

function scriptsIn(text: string): readonly string[] {
  const found = text.matchAll(/\b(?:npm|pnpm|yarn|bun)\s+(?:run(?:-script)?\s+)?([\w:.-]+)/g)
  return [...found].map(([, name = '']) => (name === 't' ? 'test' : name))
}
