/**
 * Which branches of the user's repository go on from the start commit and touch what tasks expect: five calls of git,
 * however many branches there are, all of them such as heed no setting that runs a program. Nothing is fetched or written.
 */
import type { Branches } from '../../core/event-schemas/baseline.ts'
import {
  expectedPaths,
  noticeBranches,
  type BranchFacts,
} from '../../core/repository-facts/concurrent-branches.ts'
import { normalPath } from '../../core/languages/paths.ts'
import type { TaskSpec } from '../../core/planning/plan.ts'
import { plainLine } from '../../lib/text/quoted.ts'
import { bytePath, pathText } from '../git/byte-path.ts'
import { fields, type Git, type GitPlace } from '../git/git.ts'
import type { UserRepository } from '../user-repository.ts'

export interface BranchSurvey {
  readonly git: Git
  readonly user: UserRepository
  readonly plan: string
  /** The start commit. */
  readonly base: string
  readonly tasks: readonly Pick<TaskSpec, 'id' | 'files' | 'testsToAdd'>[]
  readonly signal: AbortSignal
}

/** Bosun looks at so many branches, the newest, and at so many commits of them all together. */
const MOST_BRANCHES = 200
const MOST_COMMITS = 5_000
/** More paths than these cost git more than they save. */
const MOST_PATHS = 1_000
const TIMEOUT_MS = 30_000
const MAX_BYTES = 64 * 1024 * 1024
const LONGEST_REF = 250

/** Never rejects: a repository whose branches cannot be read can still be worked in. */
export async function surveyBranches(survey: BranchSurvey): Promise<Branches> {
  try {
    return await new Surveyor(survey).look()
  } catch (error) {
    return {
      noticed: [],
      more: 0,
      trouble: plainLine(error instanceof Error ? error.message : String(error)),
    }
  }
}

interface Tip {
  readonly name: string
  readonly sha: string
  readonly atMs: number
}

class Surveyor {
  readonly #survey: BranchSurvey
  readonly #place: GitPlace
  /** What git is asked about; empty where that would be too much, and it lists everything. */
  readonly #paths: readonly string[]
  readonly #isIdle: boolean

  constructor(survey: BranchSurvey) {
    this.#survey = survey
    this.#place = survey.user.place
    const expected = [...new Set(survey.tasks.flatMap((task) => expectedPaths(task)))]
    this.#paths = expected.length > MOST_PATHS ? [] : expected
    this.#isIdle = expected.length === 0
  }

  async look(): Promise<Branches> {
    const names = this.#isIdle ? new Map<string, string>() : await this.#refs()
    if (names.size === 0) return { noticed: [], more: 0, trouble: null }
    const lines = await this.#graph([...names.keys()])
    const isWhole = lines.length < MOST_COMMITS
    const graph = new Map(lines.map(({ sha, parents }) => [sha, parents]))
    // Lines come the newest first, and so do the branches.
    const all: Tip[] = lines.flatMap(({ sha, atMs }) => {
      const name = names.get(sha)
      return name === undefined ? [] : [{ name, sha, atMs }]
    })
    const tips = all
      .slice(0, MOST_BRANCHES)
      .map((tip) => ({ ...tip, ...aheadOf(graph, tip.sha, isWhole) }))
      .filter(({ isRelated }) => isRelated)
    const commits = new Set(tips.flatMap((tip) => tip.commits))
    const own = await this.#changes([...commits].filter((sha) => (graph.get(sha) ?? []).length === 1))
    const touched = tips.map((tip) => new Set(tip.commits.flatMap((sha) => own.get(sha) ?? [])))
    const open = tips.filter((_, at) => (touched[at]?.size ?? 0) > 0)
    const apart = await this.#changes(open.map(({ sha }) => `${sha} ${this.#survey.base}`))
    const facts = tips.map(({ name, sha, atMs, commits: ahead }, at): BranchFacts => {
      const differ = (apart.get(sha) ?? []).filter((path) => touched[at]?.has(path) === true)
      return { name, sha, at: atMs, ahead: ahead.length, isWhole, touched: differ }
    })
    const { noticed, more } = noticeBranches(this.#survey.tasks, facts)
    const unread = Math.max(0, all.length - MOST_BRANCHES) + (isWhole ? 0 : names.size - all.length)
    const subjects = new Map(lines.map(({ sha, subject }) => [sha, subject]))
    const withSubject = noticed.map((one) => ({ ...one, subject: subjects.get(one.sha) ?? '' }))
    return { noticed: withSubject, more: more + unread, trouble: null }
  }

  /** The name of each tip; a local branch goes before one of a remote that stands at the same commit. */
  async #refs(): Promise<ReadonlyMap<string, string>> {
    const { plan } = this.#survey
    const format = '--format=%(objectname) %(symref) %(refname)'
    const output = await this.#git(['for-each-ref', format, 'refs/heads', 'refs/remotes'])
    const names = new Map<string, string>()
    for (const line of output.toString('utf8').split('\n')) {
      const [sha = '', alias, ref = ''] = line.split(' ')
      const name = ref.replace(/^refs\/(heads|remotes)\//, '')
      const isOwn = ref.startsWith('refs/heads/')
        ? name.startsWith(`feat/${plan}/`)
        : name.includes(`/feat/${plan}/`)
      if (ref === '' || alias !== '' || isOwn || names.has(sha)) continue
      names.set(sha, name.slice(0, LONGEST_REF))
    }
    return names
  }

  async #graph(tips: readonly string[]): Promise<readonly GraphLine[]> {
    const args = [
      'rev-list',
      '--no-commit-header',
      // Git puts a subject on one line, whatever was written.
      '--format=%ct %H %P%x09%s',
      '--ignore-missing',
      `--max-count=${MOST_COMMITS}`,
      '--stdin',
    ]
    const input = `${tips.join('\n')}\n^${this.#survey.base}\n`
    const output = await this.#git(args, input)
    return output
      .toString('utf8')
      .split('\n')
      .flatMap((line) => readGraphLine(line) ?? [])
  }

  /** The expected files that differ, by commit. A line is a commit, held against its parent or the one named after it. */
  async #changes(lines: readonly string[]): Promise<ReadonlyMap<string, readonly string[]>> {
    const changes = new Map<string, string[]>()
    if (lines.length === 0) return changes
    const args = ['diff-tree', '--stdin', '-r', '-z', '--raw', '--no-renames', '--ignore-submodules=none']
    const limits = this.#paths.length === 0 ? [] : ['--', ...this.#paths]
    const output = await this.#git([...args, ...limits], lines.map((line) => `${line}\n`).join(''))
    let files: string[] = []
    const parts = fields(output)
    for (let at = 0; at < parts.length; at++) {
      const part = parts[at] ?? ''
      // Whatever follows a line with a colon is a path, though it may look like the name of a commit.
      if (part.startsWith(':')) files.push(normalPath(pathText(bytePath(parts[++at] ?? ''))))
      else changes.set(part.trim(), (files = []))
    }
    return changes
  }

  #git(args: readonly string[], input = ''): Promise<Buffer> {
    this.#survey.signal.throwIfAborted()
    const { git } = this.#survey
    return git.read({ args, at: this.#place, input, timeoutMs: TIMEOUT_MS, maxBytes: MAX_BYTES })
  }
}

/** The commits that branches have and the start commit has not. */
interface Ahead {
  readonly commits: readonly string[]
  /** Whether it goes on from the history of the start commit at all. */
  readonly isRelated: boolean
}

/** Each commit that the start commit has not, with its parents, the newest first. */
type Graph = ReadonlyMap<string, readonly string[]>

interface GraphLine {
  readonly subject: string
  readonly sha: string
  readonly parents: readonly string[]
  readonly atMs: number
}

export function readGraphLine(line: string): GraphLine | null {
  const end = line.indexOf('\t')
  const [seconds = '', sha, ...parents] = line.slice(0, end).trimEnd().split(' ')
  if (end === -1 || sha === undefined) return null
  return { sha, parents, atMs: Number(seconds) * 1000, subject: plainLine(line.slice(end + 1)) }
}

/** Where `isWhole` is false, commits are missing from the graph, and the start of a branch is unknown. */
export function aheadOf(graph: Graph, tip: string, isWhole: boolean): Ahead {
  const seen = new Set<string>()
  const open = [tip]
  let isRelated = !isWhole
  for (let sha = open.pop(); sha !== undefined; sha = open.pop()) {
    const parents = graph.get(sha)
    // A parent that is not in the graph is one that the start commit has.
    if (parents === undefined) isRelated = true
    else if (!seen.has(sha)) {
      seen.add(sha)
      open.push(...parents)
    }
  }
  return { commits: [...seen], isRelated }
}
