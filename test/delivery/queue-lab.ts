/** Independent tasks whose proof waits as long as a test wants, so that several are in the landing queue at once. */
import { existsSync, readdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { vi } from 'vitest'
import { Lab } from './lab.ts'

const PATIENCE = { timeout: 60_000, interval: 50 }

/** One test for each value. While there is a `hold`, it says which task's tree it is on and waits. */
const SUITE = `tell=TELL
last=base
for file in src/*/value; do [ -e "$file" ] && last=$(basename "$(dirname "$file")"); done
if [ -e "$tell/hold" ] && [ "$last" != base ]; then
  touch "$tell/proving/$(ls -d src/*/ | wc -l)"
  while [ -e "$tell/hold" ]; do sleep 0.05; done
fi
n=0; bad=0
result() { n=$((n + 1)); if [ "$1" = 0 ]; then echo "ok $n - $2"; else echo "not ok $n - $2"; bad=1; fi; }
for file in src/*/value lib/base; do
  [ -e "$file" ] || continue
  if [ "$(cat "$file")" = broken ]; then result 1 "$file"; else result 0 "$file"; fi
done
echo "1..$n"
exit $bad
`

const AGENT = `#!/bin/sh
cat > /dev/null
echo "$BOSUN_WORKER_ID" >> "$1/ran.txt"
id=$BOSUN_TASK_ID
mkdir -p "src/m$id"
grep -o 'the value is [a-z]*' "$BOSUN_CONTRACT" | head -1 | cut -d' ' -f4 > "src/m$id/value"
printf '{"explanation":"wrote it","self_assessment":"confident","criteria":[{"criterion":1,"file":"src/m%s/value","line":1}],"review_note":{"summary":"Adds a value.","risks":[],"rollback":"Revert it."}}' "$id" > "$BOSUN_REPORT"
`

export interface QueueOptions {
  readonly settings?: string
  readonly files?: Readonly<Record<string, string>>
  /** Instead of the suite that waits. */
  readonly test?: string
  readonly provision?: (lab: Lab) => void
}

export class QueueLab {
  readonly lab: Lab
  readonly #tasks: number
  readonly #test: string | undefined

  constructor(tasks: number, more: QueueOptions = {}) {
    this.#tasks = tasks
    this.#test = more.test
    this.lab = new Lab({ 'lib/base': '1\n', 'plan.yaml': this.planText(''), ...more.files }, more.provision)
    const { folder } = this.lab
    this.lab.write({
      '../proving/.keep': '',
      '../suite.sh': SUITE.replaceAll('TELL', folder),
      '../agent.sh': AGENT,
      'plan.yaml': this.planText(folder),
      'bosun.yaml': `agents: { crew: { protocol: command, command: [sh, ${folder}/agent.sh, ${folder}] } }\n${more.settings ?? `pm: { max_parallel_agents: ${tasks} }\n`}`,
    })
  }

  /** The plan, with other values for some tasks. */
  planText(folder: string, values: Readonly<Record<number, string>> = {}): string {
    const tasks = Array.from({ length: this.#tasks }, (_, at) => at + 1).map(
      (id) =>
        `  - { id: "${id}", title: Add value ${id}, tier: low, ownership: src/m${id}, depends_on: [], acceptance_criteria: ["the value is ${values[id] ?? 'right'}"], files: { create: [src/m${id}/value] }, gates: [unit] }`,
    )
    const suite = this.#test ?? `{ command: "sh ${folder}/suite.sh", report: tap }`
    const environment = `environment: { setup: null, test: ${suite}, lint: null, typecheck: null, build: null }`
    return ['plan: queue', 'title: Queue', environment, 'tasks:', ...tasks, ''].join('\n')
  }

  edit(values: Readonly<Record<number, string>>): void {
    this.lab.write({ 'plan.yaml': this.planText(this.lab.folder, values) })
  }

  hold(): void {
    this.lab.write({ '../hold': '' })
  }

  release(): void {
    rmSync(join(this.lab.folder, 'hold'))
  }

  /** Waits until all work is in the queue, and some of it is being proven: how much hangs on what else the machine does. */
  async untilQueued(): Promise<void> {
    const queued = (): number =>
      this.lab.activity().filter(({ event }) => event === 'worker_completed').length
    await vi.waitUntil(() => this.#proving() > 0 && queued() === this.#tasks, PATIENCE)
  }

  #proving(): number {
    const folder = join(this.lab.folder, 'proving')
    return existsSync(folder) ? readdirSync(folder).filter((name) => name !== '.keep').length : 0
  }
}
