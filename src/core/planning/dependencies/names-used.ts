/** Links tasks by names that one title introduces and later tasks use: `ForceDestroy`, `buildAgentModelEnv`. */
import type { Linkable } from './dependencies.ts'

const QUOTED = /`([^`\n]+)`/g
const CODE_NAME = /^[A-Za-z_$][\w$]{3,}$/
/** Camel case or an inner underscore: not an ordinary word. */
const CODE_WORD = /\b(?:[a-z]+[A-Z]\w*|[A-Z][a-z0-9]+(?:[A-Z][a-z0-9]*)+|[A-Za-z]+_\w+)\b/g
const TEXT_LIMIT = 50_000

/** Per task, the places of the earlier tasks whose title introduces a name this task uses. */
export function nameLinks(
  tasks: readonly Pick<Linkable, 'title' | 'text'>[],
): readonly (readonly number[])[] {
  const introducedBy = new Map<string, number>()
  return tasks.map((task, place) => {
    const text = `${task.title}\n${task.text.slice(0, TEXT_LIMIT)}`
    const used = new Set([...codeWords(text), ...quotedNames(text)])
    const links = new Set([...used].flatMap((name) => introducedBy.get(name) ?? []))
    for (const name of [...codeWords(task.title), ...quotedNames(task.title)]) {
      if (!introducedBy.has(name)) introducedBy.set(name, place)
    }
    return [...links].sort((a, b) => a - b)
  })
}

/** An ordinary word in backquotes is a name for tasks that quote it too. */
function quotedNames(text: string): readonly string[] {
  return [...text.matchAll(QUOTED)].map((match) => match[1] ?? '').filter((name) => CODE_NAME.test(name))
}

function codeWords(text: string): readonly string[] {
  return (text.match(CODE_WORD) ?? []).filter((word) => word.length >= 5 && !COMMON.has(word))
}

/** Well-known product names that look like code. */
const COMMON: ReadonlySet<string> = new Set([
  'TypeScript',
  'JavaScript',
  'GitHub',
  'GitLab',
  'OpenAPI',
  'PostgreSQL',
  'SQLite',
  'MySQL',
  'MongoDB',
  'GraphQL',
  'FastAPI',
  'OpenAI',
  'OpenCode',
  'DevOps',
  'README_md',
])
