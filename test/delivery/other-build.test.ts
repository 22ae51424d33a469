/** A Bosun that was built anew while a worker is at work. */
import { spawn } from 'node:child_process'
import { cpSync, existsSync, globSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { afterEach, expect, test } from 'vitest'
import { ended, Lab, linesOf } from './lab.ts'

const OTHER = 'feedfeedfeedfeed'

let lab: Lab
afterEach(() => lab.dispose())

test('a new build replaces the daemon, and the worker of the old one continues and delivers', async () => {
  const nothing = 'setup: null, test: null, lint: null, typecheck: null, build: null'
  lab = new Lab({ 'README.md': '# Values\n' })
  const begun = join(lab.folder, 'begun.txt')
  const go = join(lab.folder, 'go')
  lab.write({
    'plan.yaml': [
      'plan: values',
      'title: Values',
      `environment: { ${nothing} }`,
      'tasks:',
      '  - { id: "1", title: Add v, tier: low, acceptance_criteria: ["v is 1"], files: { create: [src/v] } }',
      '',
    ].join('\n'),
    'tools/agent.sh': `#!/bin/sh\necho $$ >> ${begun}\nuntil test -e ${go}; do sleep 0.1; done\nmkdir -p src && echo 1 > src/v\n`,
    'bosun.yaml':
      'agents: { crew: { protocol: command, command: [sh, tools/agent.sh] } }\nreview: { low: checks }\n',
  })
  const over = ended(
    spawn(process.execPath, [anotherBuild(), 'run', 'plan.yaml', '--no-input', '--json'], {
      cwd: lab.repo,
      env: { PATH: process.env['PATH'], HOME: lab.folder, BOSUN_HOME: lab.home },
    }),
  )
  await expect.poll(() => linesOf(begun).length, { timeout: 60_000 }).toBe(1)
  const old = lab.daemon()
  expect(old.build).toBe(OTHER)

  expect((await lab.bosun('status')).stdout).toContain('is a different build')
  expect(lab.daemon()).toEqual(old)
  expect(await lab.bosun('resume')).toMatchObject({ exit: 0, stderr: '' })
  const { pid, version, build } = lab.daemon()
  expect({ version, build }).toEqual({ version: old.version, build: expect.stringMatching(/^[0-9a-f]{16}$/) })
  expect(pid).not.toBe(old.pid)
  writeFileSync(go, '')
  const { exit, stdout } = await over
  expect({ exit, last: stdout.trimEnd().split('\n').at(-1) }).toMatchObject({ exit: 0 })
  expect(linesOf(begun)).toHaveLength(1)
})

test('a daemon whose files are removed before they are loaded fails with the reason', async () => {
  lab = new Lab({ 'README.md': '# Values\n' })
  const program = anotherBuild()
  for (const chunk of globSync('app-*.cjs', { cwd: dirname(program) })) rmSync(join(dirname(program), chunk))
  const { exit, stderr } = await ended(
    spawn(process.execPath, [program, 'serve'], {
      cwd: lab.repo,
      env: { PATH: process.env['PATH'], HOME: lab.folder, BOSUN_HOME: lab.home },
    }),
  )
  expect({ exit, stderr }).toMatchObject({
    exit: 1,
    stderr: expect.stringMatching(
      /error: cannot load the daemon's routes: .*ENOENT.*\n {2}Restart the daemon: bosun serve\n$/,
    ),
  })
  expect(existsSync(join(lab.home, 'daemon.json'))).toBe(false)
})

/** The same program, which says that it is a different build. */
function anotherBuild(): string {
  const dist = join(lab.folder, 'dist')
  const isKeptCode = (path: string): boolean => path.endsWith('.cache')
  cpSync(join(import.meta.dirname, '../../dist'), dist, {
    recursive: true,
    filter: (path) => !isKeptCode(path),
  })
  for (const chunk of globSync('main-*.cjs', { cwd: dist })) {
    const text = readFileSync(join(dist, chunk), 'utf8')
    writeFileSync(join(dist, chunk), text.replace(/build:(["'`])[0-9a-f]{16}\1/, `build:'${OTHER}'`))
  }
  return join(dist, 'bosun.cjs')
}
