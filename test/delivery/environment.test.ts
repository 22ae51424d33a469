/** Workers with dependencies, env files and ports, end to end with the real program. */
import { execFileSync } from 'node:child_process'
import { existsSync, globSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, onTestFinished, test, vi } from 'vitest'
import { linesOf, type Lab } from './lab.ts'
import { smallProject, type SmallProject } from './small-project.ts'

const SECRET = 'TOKEN=do-not-tell-5c1e\n'
const TEST = 'test: { command: "sh suite.sh", report: tap }, lint: null, typecheck: null, build: null'
const LOCK = { 'package-lock.json': '{}\n' }

/** `setup` runs with the user's home as $HOME: what it leaves there can be looked at. */
function aProject(project: SmallProject & { readonly setup: string }): Lab {
  const lab = smallProject({
    ...project,
    environment: `setup: ${JSON.stringify(project.setup)}, ${TEST}`,
    settings: 'environment: { env_files: [.env], ports: 2 }\n',
    files: LOCK,
  })
  lab.write({ '.env': SECRET })
  onTestFinished(() => lab.dispose())
  return lab
}

const inHome = (lab: Lab, name: string): string => join(lab.folder, name)
const repoFolder = (lab: Lab): string => globSync(join(lab.home, 'repos/*'))[0] ?? ''
const leases = (lab: Lab): unknown =>
  JSON.parse(readFileSync(join(lab.home, 'ports.json'), 'utf8')) as unknown
const inClones = (lab: Lab): readonly string[] =>
  linesOf(inHome(lab, 'setups')).filter((path) => path.includes('/clones/'))

test('a set-up runs once for all workers, and none of its files are delivered, saved or left behind', async () => {
  const lab = aProject({
    tasks: 2,
    setup: 'pwd >> "$HOME/setups"; mkdir -p node_modules/dep; echo fresh > node_modules/dep/index.js',
    agent: [
      'test "$(cat node_modules/dep/index.js)" = fresh && grep -q do-not-tell .env || exit 1',
      'echo "$id $PORT $BOSUN_PORTS $BOSUN_PORT_2" >> "$HOME/seen"',
      'echo spoiled > node_modules/dep/index.js',
      'work; report; git add -A; git commit -qm mine',
    ].join('\n'),
  })
  const { exit, last } = await lab.deliver()
  expect([exit, last.outcome]).toEqual([0, 'released'])
  expect(inClones(lab)).toHaveLength(1)
  const seen = linesOf(inHome(lab, 'seen')).map((line) => line.split(' '))
  expect(seen.map(([task]) => task)).toEqual(['1', '2'])
  for (const [, first, both, second] of seen) expect(both).toBe(`${first},${second}`)
  const delivered = lab.git('ls-tree', '-r', '--name-only', 'feat/small/working')
  expect(delivered).toContain('src/m2/value')
  expect(delivered).not.toMatch(/node_modules|\.env/)
  expect(everyBlob(lab)).not.toContain('do-not-tell')
  expect(lab.briefOf('w-small-2-1')).toContain('## Your workspace')
  expect(leases(lab)).toEqual({})
  expect(globSync('{clones,checkouts}/*/.env', { cwd: repoFolder(lab) })).toEqual([])
  expect(globSync('clones/*/node_modules', { cwd: repoFolder(lab) })).toEqual([])
})

test('a set-up that cannot run asks a person, costs no attempt, and runs again on their answer', async () => {
  const setup =
    'case $PWD in */clones/*) test -e "$HOME/fixed" || { echo "npm is not here" >&2; exit 127; };; esac'
  const lab = aProject({ setup, agent: 'work; report' })
  const stuck = await lab.deliver()
  expect([stuck.exit, stuck.last.outcome]).toEqual([10, 'needs_person'])
  const [item] = stuck.last.inbox
  expect(item?.problem).toMatch(/exited with 127: npm is not here \(full output: .*\.txt\)/)
  const kept = /full output: (.*?)\)/.exec(item?.problem ?? '')?.[1] ?? ''
  expect(readFileSync(kept, 'utf8')).toBe('npm is not here\n')
  writeFileSync(inHome(lab, 'fixed'), '')
  await lab.bosun('answer', item?.id ?? '', 'retry')
  const { exit, last } = await lab.deliver()
  expect([exit, last.outcome]).toEqual([0, 'released'])
  const sent = lab.activity().filter((line) => line.event === 'task_dispatched')
  expect(sent.map((line) => line.worker_id)).toEqual(['w-small-1-1'])
})

test('a worker keeps its ports when the daemon is killed, and they are released when it ends', async () => {
  const lab = aProject({
    setup: 'mkdir -p node_modules',
    agent: 'echo "$BOSUN_PORTS" > "$HOME/mine"; until test -e "$HOME/go"; do sleep 0.1; done; work; report',
  })
  const first = lab.spawn('run', 'plan.yaml', '--no-input', '--json')
  const isWritten = (file: string): boolean => existsSync(file) && readFileSync(file, 'utf8') !== ''
  await vi.waitUntil(() => isWritten(inHome(lab, 'mine')) && isWritten(join(lab.home, 'ports.json')), WAIT)
  const held = Object.values(leases(lab) as Record<string, readonly number[]>)
  process.kill(lab.daemon().pid, 'SIGKILL')
  first.kill('SIGKILL')
  const mine = readFileSync(inHome(lab, 'mine'), 'utf8').trim()
  expect(held.map((ports) => ports.join(','))).toEqual([mine])
  await lab.bosun('resume')
  expect(Object.values(leases(lab) as Record<string, readonly number[]>)).toEqual(held)
  expect(globSync('clones/*/.env', { cwd: repoFolder(lab) })).toHaveLength(1)
  writeFileSync(inHome(lab, 'go'), '')
  const { exit } = await lab.deliver()
  expect(exit).toBe(0)
  expect(leases(lab)).toEqual({})
  expect(globSync('clones/*/.env', { cwd: repoFolder(lab) })).toEqual([])
})

test('a running set-up ends when the plan is cancelled or the daemon is killed', async () => {
  const setup = 'case $PWD in */clones/*) pwd >> "$HOME/setups"; sleep 6000;; esac'
  const lab = aProject({ setup, agent: 'work; report' })
  const first = lab.spawn('run', 'plan.yaml', '--no-input', '--json')
  const sleeping = (): readonly string[] => lab.processes().filter((line) => line.includes('sleep 6000'))
  await vi.waitUntil(() => inClones(lab).length === 1 && sleeping().length > 0, WAIT)
  process.kill(lab.daemon().pid, 'SIGKILL')
  first.kill('SIGKILL')
  await vi.waitUntil(() => sleeping().length === 0, WAIT)
  await lab.bosun('resume')
  await vi.waitUntil(() => inClones(lab).length === 2 && sleeping().length > 0, WAIT)
  await lab.bosun('cancel', 'small')
  await vi.waitUntil(() => sleeping().length === 0, WAIT)
  await vi.waitUntil(() => globSync('clones/*/.env', { cwd: repoFolder(lab) }).length === 0, WAIT)
  await vi.waitUntil(() => Object.keys(leases(lab) as object).length === 0, WAIT)
})

const WAIT = { timeout: 60_000, interval: 50 }

/** What every object of the quarantine and of the user's repository holds. */
function everyBlob(lab: Lab): string {
  return [join(repoFolder(lab), 'quarantine.git'), join(lab.repo, '.git')]
    .map((gitDir) => {
      const git = (args: readonly string[], input = ''): string =>
        execFileSync('git', [`--git-dir=${gitDir}`, ...args], {
          input,
          encoding: 'latin1',
          maxBuffer: 1 << 28,
        })
      const names = git(['cat-file', '--batch-all-objects', '--batch-check=%(objectname) %(objecttype)'])
      const blobs = names
        .split('\n')
        .flatMap((line) => (line.endsWith(' blob') ? [line.split(' ')[0] ?? ''] : []))
      return git(['cat-file', '--batch'], blobs.join('\n'))
    })
    .join('')
}
