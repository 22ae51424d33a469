/** How long `bosun plan` takes on a plan of 20 tasks, beside a Node that does nothing at all. */
import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { interleaved, median, runAlone, type Bench } from './lib.ts'

const ROUNDS = 21
const root = join(import.meta.dirname, '..')

export const bench: Bench = {
  name: 'cold-start',
  async run() {
    const folder = mkdtempSync(join(tmpdir(), 'bosun-cold-start-'))
    try {
      const markdown = join(folder, 'markdown-plan.md')
      const yaml = join(folder, 'yaml-plan.yaml')
      writeFileSync(markdown, markdownPlan(20))
      writeFileSync(yaml, yamlPlan(20))
      const entry = join(root, 'dist/bosun.cjs')
      const times = await interleaved(ROUNDS, {
        nothing: () => start(process.execPath, ['-e', '0'], folder),
        markdown: () => start(process.execPath, [entry, 'plan', markdown, '--json'], folder),
        yaml: () => start(process.execPath, [entry, 'plan', yaml, '--json'], folder),
        wrapped: () => start(join(root, 'bin/bosun'), ['plan', markdown], folder),
        help: () => start(process.execPath, [entry, '--help'], folder),
      })
      const nothing = median(times.nothing)
      const factor = (of: readonly number[]) => median(of) / nothing
      return [
        { what: 'node -e 0', value: nothing, unit: 'ms' },
        { what: 'bosun --help', value: factor(times.help), unit: '× node -e 0' },
        { what: 'bosun plan, Markdown', value: median(times.markdown), unit: 'ms' },
        {
          what: 'bosun plan, Markdown',
          value: factor(times.markdown),
          unit: '× node -e 0',
          mark: { atMost: 3 },
        },
        { what: 'bosun plan, YAML', value: factor(times.yaml), unit: '× node -e 0', mark: { atMost: 3 } },
        {
          what: 'bin/bosun plan, Markdown',
          value: factor(times.wrapped),
          unit: '× node -e 0',
          mark: { atMost: 3 },
        },
      ]
    } finally {
      rmSync(folder, { recursive: true })
    }
  },
}

function start(command: string, args: readonly string[], cwd: string): void {
  const { status, stderr } = spawnSync(command, args, { cwd, encoding: 'utf8' })
  if (status !== 0) throw new Error(`${command} ${args.join(' ')} ended with ${status}: ${stderr}`)
}

function markdownPlan(tasks: number): string {
  const parts = Array.from({ length: tasks }, (_, index) => {
    const n = index + 1
    return [
      `## Task ${n}: Add part ${n}`,
      '',
      '**Files:**',
      `- Create: \`src/part-${n}.ts\``,
      `- Test: \`test/part-${n}.test.ts\``,
      '',
      `- [ ] **Step 1:** Write the failing test`,
      '',
      `Run: \`npx vitest run test/part-${n}.test.ts\``,
      'Expected: FAIL',
      '',
      `- [ ] **Step 2:** Make it pass with \`part${n}\`${n > 1 ? `, using \`src/part-${n - 1}.ts\`` : ''}`,
      '',
    ].join('\n')
  })
  return `# Twenty parts\n\n**Goal:** twenty small parts\n\n${parts.join('\n')}`
}

function yamlPlan(tasks: number): string {
  const parts = Array.from({ length: tasks }, (_, index) => {
    const n = index + 1
    return [
      `  - id: "${n}"`,
      `    title: Add part ${n}`,
      `    depends_on: [${n > 1 ? `"${n - 1}"` : ''}]`,
      `    acceptance_criteria: ["part ${n} is there"]`,
      `    files: { create: [src/part-${n}.ts], modify: [], delete: [] }`,
      `    tests_to_run: ["npm test"]`,
    ].join('\n')
  })
  return `plan: twenty\ntitle: Twenty parts\ntasks:\n${parts.join('\n')}\n`
}

if (import.meta.main) await runAlone(bench)
