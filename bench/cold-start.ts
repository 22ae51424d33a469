/** How long `bosun plan` takes on a plan of 20 tasks, beside a Node that does nothing at all. */
import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { median, report, round, timeMs } from './lib/measure.ts'

/** `bosun plan` may take this many times as long as `node -e 0`. */
const MARK = 3
const ROUNDS = 21
const root = join(import.meta.dirname, '..')
const entry = join(root, 'dist/bosun.cjs')

const folder = mkdtempSync(join(tmpdir(), 'bosun-cold-start-'))
const markdown = join(folder, 'markdown-plan.md')
const yaml = join(folder, 'yaml-plan.yaml')
writeFileSync(markdown, markdownPlan(20))
writeFileSync(yaml, yamlPlan(20))

const node = process.execPath
const starts: readonly { what: string; command: string; args: readonly string[]; marked?: true }[] = [
  { what: 'node -e 0', command: node, args: ['-e', '0'] },
  { what: 'bosun --help', command: node, args: [entry, '--help'] },
  { what: 'bosun plan, Markdown', command: node, args: [entry, 'plan', markdown], marked: true },
  {
    what: 'bosun plan --json, Markdown',
    command: node,
    args: [entry, 'plan', markdown, '--json'],
    marked: true,
  },
  { what: 'bosun plan, YAML', command: node, args: [entry, 'plan', yaml], marked: true },
  {
    what: 'bin/bosun plan, Markdown',
    command: join(root, 'bin/bosun'),
    args: ['plan', markdown],
    marked: true,
  },
  { what: 'bin/bosun plan, YAML', command: join(root, 'bin/bosun'), args: ['plan', yaml], marked: true },
]

// In turns, so that whatever else the machine does hits all of them alike; the first turn warms up.
const times = starts.map((): number[] => [])
for (let turn = 0; turn <= ROUNDS; turn++) {
  for (const [index, { command, args }] of starts.entries()) {
    const ms = await timeMs(() => start(command, args))
    if (turn > 0) times[index]?.push(ms)
  }
}
rmSync(folder, { recursive: true })

const floorMs = median(times[0] ?? [])
const rows = starts.map(({ what }, index) => {
  const ms = median(times[index] ?? [])
  return { what, ms: round(ms, 1), factor: round(ms / floorMs) }
})
const worst = Math.max(...rows.filter((_, index) => starts[index]?.marked).map(({ factor }) => factor))
report('cold-start', rows, { mark: MARK, worst_factor: worst, ok: worst <= MARK, node_ms: round(floorMs, 1) })
console.log(`the slowest takes ${worst} times node -e 0, mark ${MARK}`)
if (worst > MARK) process.exitCode = 1

function start(command: string, args: readonly string[]): void {
  const { status, stderr } = spawnSync(command, args, { cwd: folder, encoding: 'utf8' })
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
