import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync, readFileSync } from 'node:fs'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { builtEnvironment } from '../lib/process/built-environment.ts'
import { launchSupervisor } from './launch-supervisor.ts'
import { workerFolder } from './worker-folder.ts'

let root: string
beforeAll(async () => {
  root = await mkdtemp(join(tmpdir(), 'bosun-launch-'))
})
afterAll(() => rm(root, { recursive: true, force: true }))

const env = builtEnvironment(process.env, { GREETING: "it's $HOME" })

/** Runs a script in the place of a supervisor. */
function launch(name: string, command: readonly string[]) {
  const folder = workerFolder(join(root, name))
  mkdirSync(folder.path)
  const { promise: exited, resolve: onExit } = Promise.withResolvers<void>()
  return { folder, exited, ...launchSupervisor({ command, env, folder, onExit }) }
}
const shell = (script: string): readonly string[] => ['/bin/sh', '-c', script, 'sh']
const OWNED = 'touch identity.json;'

test('a supervisor runs in its folder, with the given environment and in a session of its own', async () => {
  const { folder, exited } = launch(
    `it's "a" $(place)`,
    shell(
      `${OWNED} pwd > where; printf %s "$GREETING" > greeting; cut -d" " -f1,6 /proc/$$/stat > session; echo oh >&2`,
    ),
  )
  await exited
  const written = (name: string): string => readFileSync(join(folder.path, name), 'utf8')
  expect(written('where')).toBe(`${folder.path}\n`)
  expect(written('greeting')).toBe("it's $HOME")
  const [pid, session] = written('session').trim().split(' ')
  expect(session).toBe(pid)
  expect(readFileSync(folder.supervisorLog, 'utf8')).toBe('oh\n')
})

test('a supervisor that ends before it owns its worker has failed, with its complaint', async () => {
  expect(await launch('complains', shell('echo "an error" >&2; exit 3')).failure).toBe(
    'the supervisor exited at once: an error',
  )
  expect(await launch('missing', ['/no/such/program']).failure).toContain('/no/such/program')
})

test('a supervisor goes on when nothing waits for it', async () => {
  const program = `import { launchSupervisor } from ${JSON.stringify(join(import.meta.dirname, 'launch-supervisor.ts'))}
    import { workerFolder } from ${JSON.stringify(join(import.meta.dirname, 'worker-folder.ts'))}
    const command = ['/bin/sh', '-c', 'touch identity.json; read go < door; echo done > end']
    launchSupervisor({ command, env: process.env, folder: workerFolder(process.argv[1]), onExit: () => {} })`
  const folder = join(root, 'outlives')
  mkdirSync(folder)
  execFileSync('mkfifo', [join(folder, 'door')])
  execFileSync(process.execPath, ['--input-type=module', '-e', program, folder])
  await writeFile(join(folder, 'door'), 'go\n')
  await expect.poll(() => existsSync(join(folder, 'end'))).toBe(true)
})
