/** Secrets that workers and checks print are in nothing that Bosun keeps or shows. */
import { globSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import type { Lab } from './lab.ts'
import { smallProject } from './small-project.ts'

const KEY = 'T9xq-Wm4z_Lp8k.Vr2n-of-the-user'
const IN_FILE = 'Zr7w-Kd3m_Qa5t.Hb9x-in-a-file'
const ACP_AGENT = join(import.meta.dirname, '../fixtures/agents/acp-worker.mjs')

/** The first attempt says what it knows wherever it can, and so does its test; the second says it in its report only. */
const AGENT = `
all="key $SHOP_KEY token $BOSUN_TOKEN file $(. ./.env; echo "$FILE_KEY") coded $(printf %s "$SHOP_KEY" | base64)"
echo "$all"; echo "$all" >&2; env >&2
bosun-checkin in_progress 50 --current-step "$all" --issue "$all" --request need_help
work
if [ "$BOSUN_ATTEMPT" = 1 ]; then
  echo "$all" > "$repo/../leaked"
  echo "cat $repo/../leaked; exit 1" > "test/m$id.t"
fi
cat > "$BOSUN_REPORT" <<R
{"explanation":"wrote $id with $all","self_assessment":"confident","criteria":[{"criterion":1,"file":"src/m$id/value","line":1}],
 "review_note":{"summary":"adds value $id","risks":[],"rollback":"revert the commit"}}
R
`

/** One test fails from the start, and its name has a secret in it. */
const SUITE = `#!/bin/sh
. ./.env; bad=0; n=1
echo "not ok 1 - opens with $FILE_KEY"
for t in test/*.t; do
  n=$((n + 1))
  if sh "$t"; then echo "ok $n - $t"; else echo "not ok $n - $t"; fi
done
echo "1..$n"
exit 1
`

const PLAN = `plan: small
title: Small values
environment: { setup: null, test: { command: "sh suite.sh", report: tap }, lint: null, typecheck: null, build: null }
tasks:
  - id: "1"
    title: Add value 1
    tier: normal
    ownership: src/m1
    acceptance_criteria: ["value 1 is there"]
    files: { create: [src/m1/value] }
    tests_to_run: ["sh suite.sh"]
    tests_to_add: [test/m1.t]
    gates: [unit]
`

function project(protocol: 'command' | 'acp'): Lab {
  const files = { 'suite.sh': SUITE, '.gitignore': '.env\n', 'plan.yaml': PLAN }
  const lab = smallProject({ agent: AGENT, files })
  writeFileSync(join(lab.repo, '.env'), `FILE_KEY=${IN_FILE}\n`)
  const script = ['sh', 'tools/agent.sh', lab.repo]
  const command = protocol === 'command' ? script : [process.execPath, ACP_AGENT, '-', ...script]
  const agent = `protocol: ${protocol}, command: ${JSON.stringify(command)}, env_from: [SHOP_KEY]`
  lab.write({
    'bosun.yaml':
      `agents: { crew: { ${agent}, env: { SAYS: 'SHOP_KEY BOSUN_TOKEN' } } }\n` +
      'brain: { provider: none }\nenvironment: { env_files: [.env] }\n',
  })
  lab.variables = { SHOP_KEY: KEY }
  return lab
}

/** Files that need a secret: what a worker is started with, the user's token, and what workers have in their own folders. */
const NEEDS_THEM = /\/(environments\/.*\.json|workers\/[^/]+\/job\.json|token|private\/clones\/.*)$/

function expectNoneKept(lab: Lab, secrets: readonly string[]): void {
  const files = globSync('**', { cwd: lab.home, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
  const holding = files.filter((path) => {
    const bytes = readFileSync(path, 'latin1')
    return secrets.some((secret) => bytes.includes(secret))
  })
  expect(holding.filter((path) => !NEEDS_THEM.test(path))).toEqual([])
  expect(holding.some((path) => path.endsWith('job.json'))).toBe(true)
}

test.each(['command', 'acp'] as const)(
  'of an agent by %s no secret is kept or shown, and a test with a secret in its name keeps its name',
  async (protocol) => {
    const lab = project(protocol)
    try {
      const { last, stdout } = await lab.deliver()
      const workers = ['w-small-1-1', 'w-small-1-2']
      const tokens = workers.map((worker) => lab.jobOf(worker).env['BOSUN_TOKEN'] ?? '')
      const coded = Buffer.from(KEY).toString('base64')
      const secrets = [KEY, IN_FILE, coded.slice(0, -4), ...tokens]
      expect([last.outcome, last.commits.length]).toEqual(['released', 1])
      const reviewer = globSync('repos/*/workers/*review*/job.json', { cwd: lab.home })
      const jobs = reviewer.map(
        (path) => JSON.parse(readFileSync(join(lab.home, path), 'utf8')) as { readonly brief: string },
      )
      expect(jobs).not.toEqual([])
      const shown = [stdout, ...jobs.map(({ brief }) => brief)]
      for (const args of [
        ['log', '--json'],
        ['task', 'show', '1', '--json'],
        ...workers.map((worker) => ['worker', 'log', worker, '--json']),
        ...workers.map((worker) => ['worker', 'show', worker, '--json']),
      ])
        shown.push((await lab.bosun(...args)).stdout)
      for (const secret of secrets) expect(shown.filter((text) => text.includes(secret))).toEqual([])
      expect(shown.join('\n')).toContain(
        'key [secret SHOP_KEY] token [secret BOSUN_TOKEN] file [secret FILE_KEY]',
      )
      await lab.bosun('stop')
      expectNoneKept(lab, secrets)
      const evidence = globSync('repos/*/evidence/*/*.txt', { cwd: lab.home })
      const outputs = evidence.map((path) => readFileSync(join(lab.home, path), 'utf8')).join('\n')
      expect(outputs).toContain('not ok 1 - opens with [secret FILE_KEY]')
      expect(outputs).toContain('key [secret SHOP_KEY] token [secret BOSUN_TOKEN]')
    } finally {
      await lab.dispose()
    }
  },
)
