/**
 * A project of twelve tasks in all tiers, side by side where they may be, one of which fails a gate at first and is
 * fixed. What workers do hangs on their task and attempt alone, so every run comes to the same.
 */
import { join } from 'node:path'
import { Lab, linesOf } from './lab.ts'

/** Every `test/*.t` is a test of its own; the output is TAP. */
const SUITE = `#!/bin/sh
n=0; bad=0
for t in test/*.t; do
  n=$((n + 1))
  if sh "$t"; then echo "ok $n - $t"; else echo "not ok $n - $t"; bad=1; fi
done
echo "1..$n"
exit $bad
`

/** Records its start, so that a worker that runs twice is noticed. */
const AGENT = `#!/bin/sh
echo "$BOSUN_WORKER_ID" >> "$1"
if [ "$BOSUN_ROLE" = reviewer ]; then
  echo '{"verdict":"approved","summary":"it is what was asked for","critical":[],"major":[],"minor":[]}' > "$BOSUN_REPORT"
  exit 0
fi
id=$BOSUN_TASK_ID
mkdir -p "src/m$id" test
value=$id
if [ "$id" = 5 ] && [ ! -e src/m5/value ]; then value=wrong; fi
echo "$value" > "src/m$id/value"
echo "test \\"\\$(cat src/m$id/value)\\" = $id" > "test/m$id.t"
cat > "$BOSUN_REPORT" <<R
{"explanation":"wrote $id","self_assessment":"confident","criteria":[{"criterion":1,"file":"src/m$id/value","line":1}],
 "review_note":{"summary":"adds value $id","risks":[],"rollback":"revert the commit"}}
R
`

interface Planned {
  readonly tier: 'critical' | 'normal' | 'low'
  readonly after: readonly number[]
}

const TASKS: readonly Planned[] = [
  { tier: 'critical', after: [] },
  { tier: 'low', after: [1] },
  { tier: 'low', after: [1] },
  { tier: 'low', after: [1] },
  { tier: 'low', after: [1] },
  { tier: 'normal', after: [2, 3] },
  { tier: 'normal', after: [4, 5] },
  { tier: 'low', after: [6] },
  { tier: 'low', after: [6] },
  { tier: 'low', after: [7] },
  { tier: 'normal', after: [8, 9, 10] },
  { tier: 'critical', after: [11] },
]

const planText = (): string =>
  [
    'plan: twelve',
    'title: Twelve values',
    'environment: { setup: null, test: { command: "sh suite.sh", report: tap }, lint: "true", typecheck: null, build: null }',
    'tasks:',
    ...TASKS.map(({ tier, after }, at) => {
      const id = at + 1
      return [
        `  - id: "${id}"`,
        `    title: Add value ${id}`,
        `    ownership: src/m${id}`,
        `    tier: ${tier}`,
        `    depends_on: [${after.map((one) => `"${one}"`).join(', ')}]`,
        `    acceptance_criteria: ["value ${id} is there"]`,
        `    files: { create: [src/m${id}/value] }`,
        `    tests_to_add: [test/m${id}.t]`,
        `    tests_to_run: ["sh suite.sh"]`,
      ].join('\n')
    }),
    '',
  ].join('\n')

/** What a run left in the user's repository, without what hangs on time and on the order tasks landed in. */
export interface Delivered {
  /** The message and the files of each task, and how often it was committed. */
  readonly tasks: Readonly<Record<string, { readonly message: string; readonly files: readonly string[] }>>
  readonly commits: number
  /** Every file at the tip but for the reviews and the manifest, with its content's hash. */
  readonly tip: readonly string[]
  readonly artifacts: readonly string[]
  readonly workers: readonly string[]
}

export class TwelveTasks {
  readonly lab: Lab
  readonly #ran: string

  constructor(agents = 3) {
    this.lab = new Lab({
      'suite.sh': SUITE,
      'test/base.t': 'true\n',
      'plan.yaml': planText(),
      'README.md': '# Values\n',
      'tools/agent.sh': AGENT,
    })
    this.#ran = join(this.lab.folder, 'ran.txt')
    const command = `[sh, tools/agent.sh, ${JSON.stringify(this.#ran)}]`
    this.lab.write({
      'bosun.yaml': `agents: { crew: { protocol: command, command: ${command} } }\npm: { max_parallel_agents: ${agents} }\n`,
    })
    this.lab.git('branch', 'mine')
    this.lab.git('tag', 'kept')
  }

  /** Who was started, in order. */
  ran(): readonly string[] {
    return linesOf(this.#ran)
  }

  delivered(): Delivered {
    const { lab } = this
    const commits = lab.git('rev-list', '--reverse', 'main..feat/twelve/working').split('\n')
    const tasks = commits.flatMap((sha) => {
      const message = lab.git('show', '-s', '--format=%B', sha)
      const task = /^Refs: (.*)$/m.exec(message)?.[1]
      if (task === undefined) return []
      const files = lab.git('diff-tree', '-r', '--no-renames', `${sha}^`, sha).split('\n')
      return [[task, { message, files: files.filter((line) => !line.includes('docs/reviews/')) }] as const]
    })
    // The settings name the folder of the test.
    const tree = lab.git('ls-tree', '-r', 'feat/twelve/working').split('\n')
    const tip = tree.filter((line) => !line.endsWith('\tbosun.yaml'))
    const isArtifact = (line: string): boolean => /\tdocs\/(reviews|releases)\//.test(line)
    return {
      tasks: Object.fromEntries(tasks),
      commits: commits.length,
      tip: tip.filter((line) => !isArtifact(line)),
      artifacts: tip.filter(isArtifact).map((line) => line.slice(line.indexOf('\t') + 1)),
      workers: [...this.ran()].sort(),
    }
  }
}
