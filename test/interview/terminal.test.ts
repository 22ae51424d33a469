/** `bosun interview` with the real program and a real daemon: through pipes, with Ctrl-C, and at a terminal. */
import { execFileSync, spawn } from 'node:child_process'
import { existsSync, mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { BIN, bosun, CLEAN_ENV, type Run } from '../cli/bosun.ts'
import { endProcessesOf } from '../helpers/end-processes.ts'
import { tempFolder } from '../helpers/temp-folder.ts'

const folder = tempFolder()
const root = join(folder, 'state')
const env = { BOSUN_HOME: root, USER: 'ann' }

function repository(name: string, files: Readonly<Record<string, string>>): string {
  const repo = join(folder, name)
  mkdirSync(repo)
  for (const [file, text] of Object.entries(files)) writeFileSync(join(repo, file), text)
  const git = (...args: readonly string[]) =>
    execFileSync('git', ['-C', repo, '-c', 'user.name=ann', '-c', 'user.email=ann@example.com', ...args])
  git('init', '-q')
  git('add', '.')
  git('commit', '-qm', 'start', '--allow-empty')
  return repo
}

let shop = ''
beforeAll(() => {
  shop = repository('shop', {
    'package.json': JSON.stringify({ name: 'shop', scripts: { test: 'node --test' } }),
    'shop.test.js': "require('node:test')('it works', () => undefined)\n",
  })
})
afterAll(async () => {
  await bosun(['stop'], { env })
  endProcessesOf(root)
})

const interview = (cwd: string, lines: readonly string[], args: readonly string[] = []): Promise<Run> =>
  bosun(['interview', ...args], { cwd, env, input: lines.map((line) => `${line}\n`).join('') })

test('nothing starts before the user has written something', async () => {
  expect(await interview(shop, [])).toMatchObject({ exit: 10 })
  expect(await interview(shop, [], ['--no-input'])).toMatchObject({ exit: 10 })
  const { stdout } = await interview(shop, [], ['--json'])
  expect(JSON.parse(stdout)).toMatchObject({
    schema: 'bosun.interview/v1',
    state: 'WAITING',
    session_id: null,
  })
  expect(await interview(shop, [], ['--expertise', 'guru'])).toMatchObject({ exit: 2 })
})

test('fields come through a pipe, an empty line after each, and the interview goes on where it was left', async () => {
  const first = await interview(shop, ['', 'designers'], ['--text', 'Add dark mode toggle to settings page'])
  expect(first.exit, first.stderr).toBe(10)
  expect(first.stdout).toContain('nobody judges')
  expect(first.stdout).toContain('1/6 What should be built, changed or fixed, and why?')

  const open = await interview(shop, [], ['--no-input'])
  expect(open.exit).toBe(10)
  expect(open.stdout).toContain('Continuing the open interview')
  expect(open.stdout).toContain('   designers')
  expect(await interview(shop, [], ['--text', 'another'])).toMatchObject({ exit: 4 })
  const status = await bosun(['status'], { cwd: shop, env })
  expect(status.stdout).toContain('Interview "Add dark mode toggle to settings page"')

  const fields = ['', '', 'the page has a toggle', 'it follows the system', '', '', '', '']
  const drafted = await interview(shop, [...fields, 'q'])
  expect(drafted.exit, drafted.stdout + drafted.stderr).toBe(0)
  expect(drafted.stdout).toContain('### R-002: it follows the system')

  const state = await interview(shop, [], ['--json'])
  expect(state.exit).toBe(10)
  expect(JSON.parse(state.stdout)).toMatchObject({ state: 'PREVIEW' })

  const alone = await interview(shop, ['2'])
  expect([alone.exit, alone.stderr]).toEqual([14, expect.stringContaining('no coding agent is installed')])
  writeFileSync(join(shop, 'bosun.yaml'), 'agents: { crew: { protocol: command, command: ["true"] } }\n')
  const submitted = await interview(shop, ['2'])
  expect(submitted.exit, submitted.stdout + submitted.stderr).toBe(0)
  expect(submitted.stdout).toContain('The spec is with the architect.')
  const plan = /bosun run (\S+)/.exec(submitted.stdout)?.[1] ?? ''
  const plans = await bosun(['status', '--json'], { cwd: shop, env })
  expect(JSON.parse(plans.stdout)).toMatchObject({ plans: [{ id: plan }], interviews: [] })
  await bosun(['cancel', plan], { cwd: shop, env })
})

test('an open interview can be abandoned, and another one starts', async () => {
  expect(await interview(shop, [], ['--text', 'A clock'])).toMatchObject({ exit: 10 })
  expect(await interview(shop, [], ['--abandon'])).toMatchObject({ exit: 0 })
  expect(await interview(shop, [], ['--abandon'])).toMatchObject({ exit: 4 })
  expect(await interview(shop, [], ['--text', 'A calendar'])).toMatchObject({ exit: 10 })
  const anew = await interview(shop, [], ['--new', '--text', 'A clock'])
  expect(anew.exit, anew.stderr).toBe(10)
  expect(await interview(shop, [], ['--abandon'])).toMatchObject({ exit: 0 })
})

test('Ctrl-C leaves the interview where it is', async () => {
  const bare = repository('bare', {})
  const child = spawn(BIN, ['interview', '--text', 'A page with the menu of the day'], {
    cwd: bare,
    env: { ...CLEAN_ENV, ...env },
    stdio: ['pipe', 'pipe', 'inherit'],
  })
  let shown = ''
  const asked = Promise.withResolvers<void>()
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    shown += text
    if (shown.includes('1/7 What should be built')) asked.resolve()
  })
  const over = new Promise((resolve) => child.once('close', resolve))
  await asked.promise
  child.kill('SIGINT')
  expect(await over).toBe(130)
  expect(shown).toContain('The repository is empty: its set-up is planned first.')
  expect(shown).toContain('Continue it with: bosun interview')
})

test.skipIf(!existsSync('/usr/bin/script'))(
  'at a terminal the set-up of a bare repository is previewed with the spec',
  async () => {
    const command = `${BIN} interview`
    const child = spawn('script', ['-qec', command, '/dev/null'], {
      cwd: join(folder, 'bare'),
      env: { ...CLEAN_ENV, ...env, TERM: 'xterm', NO_COLOR: '1' },
      stdio: ['pipe', 'pipe', 'inherit'],
    })
    let shown = ''
    let seen = 0
    const until = async (text: string): Promise<void> => {
      while (!shown.slice(seen).includes(text))
        await new Promise((resolve) => child.stdout.once('data', resolve))
      seen = shown.indexOf(text, seen) + text.length
    }
    child.stdout.setEncoding('utf8').on('data', (text: string) => (shown += text))
    const over = new Promise((resolve) => child.once('close', resolve))
    const answer = async (field: string, text: string): Promise<void> => {
      await until(field)
      await until('> ')
      child.stdin.write(`${text}\n`)
    }
    await answer('1/7', '')
    await answer('2/7', '')
    await answer('3/7', 'The page lists the menu')
    await until('> ')
    child.stdin.write('\n')
    for (const field of ['4/7', '5/7', '6/7']) await answer(field, '')
    await answer('7/7', 'python')
    await until('Before it, the set-up of the project:')
    await until('Set up tests with pytest')
    await until('1 or 2> ')
    child.stdin.write('q\n')
    expect(await over).toBe(0)
  },
)
