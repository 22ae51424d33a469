/** A commit as a person would have written it down as a task, before it existed. */
import { isTestPath, kindOfPath } from '../../../src/core/languages/paths.ts'
import type { Change, Commit } from './commit.ts'

export const PLAN = 'replay'

export interface PlannedTask {
  readonly id: string
  readonly title: string
  readonly description: string
  readonly tier?: string
  readonly depends_on: readonly string[]
  readonly acceptance_criteria: readonly string[]
  readonly files: {
    readonly create: readonly string[]
    readonly modify: readonly string[]
    readonly delete: readonly string[]
  }
  readonly tests_to_add: readonly string[]
}

/** Each task builds on the one before it, since its patch does. */
export function planOf(commits: readonly Commit[], tier?: string) {
  const tasks = commits.map((commit, at) => taskOf(commit, at + 1, tier))
  return { plan: PLAN, title: tasks.map(({ title }) => title).join('; '), tasks }
}

export function taskOf(commit: Commit, number: number, tier?: string): PlannedTask {
  const { subject, changes } = commit
  const description = bodyText(commit.body)
  const pathsOf = (kind: Change['kind']): readonly string[] =>
    changes.filter((change) => change.kind === kind).map(({ path }) => path)
  const tests = pathsOf('create').filter(isTestFile)
  return {
    id: String(number),
    title: subject,
    description,
    ...(tier === undefined ? {} : { tier }),
    depends_on: number === 1 ? [] : [String(number - 1)],
    acceptance_criteria: criteriaOf(subject, description),
    files: {
      create: pathsOf('create').filter((path) => !tests.includes(path)),
      modify: pathsOf('modify'),
      delete: pathsOf('delete'),
    },
    tests_to_add: tests,
  }
}

/** What the author of the commit would report about it, beside where each criterion is met. */
export const reportOf = ({ subject }: Commit) => ({
  explanation: subject,
  self_assessment: 'confident',
  review_note: { summary: sentence(subject), risks: [], rollback: 'Revert the commit.' },
})

/** Where its criteria can be said to be met, its source before everything else. */
export function placesOf({ changes }: Commit): readonly { readonly file: string; readonly line: number }[] {
  const rank = (path: string): number => (kindOfPath(path) === 'source' ? 0 : 1)
  const sorted = changes.toSorted((a, b) => rank(a.path) - rank(b.path))
  return sorted.flatMap(({ path, line }) => (line === null ? [] : [{ file: path, line }]))
}

/** Among test files are data and helpers too; a test is code whose name or folder says so. */
function isTestFile(path: string): boolean {
  const name = path.split('/').at(-1) ?? ''
  const isData = /\.(json|ya?ml|toml|ini|xml|txt|md|html|csv|snap|out|golden|bin|gz|png)$/.test(name)
  const isAside = /(^|\/)(fixtures?|testdata|data|helpers?|support|__snapshots__)\//.test(path)
  return isTestPath(path) && !isData && !isAside && name.includes('.')
}

/** Without the lines that name people and issues rather than the work. */
const bodyText = (body: string): string =>
  body
    .replace(/^[A-Z][\w-]+-by: .*$/gim, '')
    .replace(/^(fixes|closes|resolves|refs?|see):? .*$/gim, '')
    .replace(/\n{3,}/g, '\n\n')
    .trim()

/** The subject as a sentence, and the first one of the body where it has one. */
function criteriaOf(subject: string, body: string): readonly string[] {
  const first = /^[^#*>|`\s-][^\n]*(?:\n[^\n#*>|`\s-][^\n]*)*/.exec(body)?.[0].replaceAll('\n', ' ')
  const second = first === undefined ? undefined : (/^.*?[.!](?=\s|$)/.exec(first)?.[0] ?? first)
  return second === undefined || second.length > 200 ? [sentence(subject)] : [sentence(subject), second]
}

/** `fix(parser): keep comments (#12)` is "Keep comments". */
function sentence(subject: string): string {
  const plain = subject.replace(/^[a-z]+(\([^)]*\))?!?:\s+/, '').replace(/\s*\(#\d+\)$/, '')
  return plain.charAt(0).toUpperCase() + plain.slice(1)
}
