/** What holds for every command, seen from outside. */
import { execFileSync } from 'node:child_process'
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { BIN, bosun } from './bosun.ts'
import { tempFolder } from '../helpers/temp-folder.ts'

const folder = tempFolder()
const COMMANDS = [
  'interview plan doctor export import run status watch log inbox answer pause resume cancel worker task release serve stop',
].flatMap((line) => line.split(' '))

interface ErrorDocument {
  readonly schema: string
  readonly error: { readonly code: string; readonly message: string; readonly remedy: string }
}

describe('help', () => {
  test.each([['--help'], ['-h'], ['help']])('bosun %s lists the commands on stdout', async (word) => {
    const run = await bosun([word])
    expect(run).toMatchObject({ exit: 0, stderr: '' })
    for (const command of COMMANDS) expect(run.stdout).toMatch(new RegExp(`^  ${command}\\b`, 'm'))
    expect(run.stdout).toContain('Examples:')
  })

  test.each(COMMANDS)('bosun %s --help has examples and the global options', async (command) => {
    const run = await bosun([command, '--help'])
    expect(run).toMatchObject({ exit: 0, stderr: '' })
    expect(run.stdout).toContain(`bosun ${command}`)
    expect(run.stdout).toContain('Examples:')
    expect(run.stdout).toContain('--json')
    expect((await bosun(['help', command])).stdout).toBe(run.stdout)
  })

  test('commands that do not exist yet are not listed', async () => {
    const { stdout } = await bosun(['--help'])
    for (const later of ['fleet', 'runner']) expect(stdout).not.toMatch(new RegExp(`^  ${later}\\b`, 'm'))
  })

  test('is one document with --json', async () => {
    const run = await bosun(['--help', '--json'])
    expect(JSON.parse(run.stdout)).toMatchObject({ schema: 'bosun.help/v1' })
    expect(JSON.parse((await bosun(['--json', '--version'])).stdout)).toMatchObject({
      schema: 'bosun.version/v1',
    })
  })
})

describe('an invalid command line', () => {
  test.each([
    [['plna'], "unknown command 'plna'", 'Did you mean plan?'],
    [['zzzzzz'], "unknown command 'zzzzzz'", 'bosun --help'],
    [['plan'], "missing required argument 'file'", 'bosun plan --help'],
    [['plan', 'a.md', 'b.md'], 'too many arguments', 'bosun plan --help'],
    [['plan', 'a.md', '--jsno'], "unknown option '--jsno'", 'Did you mean --json?'],
    [['--nonsense'], "unknown option '--nonsense'", 'bosun --help'],
    [['doctor', 'x'], 'too many arguments', 'bosun doctor --help'],
  ])('bosun %j: usage', async (args, message, remedy) => {
    const run = await bosun(args)
    expect(run).toMatchObject({ exit: 2, stdout: '' })
    expect(run.stderr).toContain(`error: ${message}`)
    expect(run.stderr).toContain(remedy)

    const json = await bosun([...args, '--json'])
    expect(json).toMatchObject({ exit: 2, stderr: '' })
    const document = JSON.parse(json.stdout) as ErrorDocument
    expect(document).toMatchObject({ schema: 'bosun.error/v1', error: { code: 'usage' } })
    expect(document.error.message).toContain(message)
    expect(document.error.remedy).toContain(remedy)
  })
})

describe('bosun without a command', () => {
  test('shows the repository and the next steps', async () => {
    execFileSync('git', ['init', '-q', join(folder, 'shop')])
    mkdirSync(join(folder, 'shop/docs/plans'), { recursive: true })
    mkdirSync(join(folder, 'shop/src'))
    for (const name of ['todo.md', 'todo-design.md'])
      writeFileSync(join(folder, 'shop/docs/plans', name), '# Todo')
    const run = await bosun([], { cwd: join(folder, 'shop/src') })
    expect(run).toMatchObject({ exit: 0, stderr: '' })
    expect(run.stdout).toContain('bosun plan ../docs/plans/todo.md')

    const json = await bosun(['--json'], { cwd: join(folder, 'shop') })
    expect(JSON.parse(json.stdout)).toMatchObject({
      schema: 'bosun.overview/v1',
      repository: join(folder, 'shop'),
      settings: 'absent',
      plans: ['docs/plans/todo.md'],
    })
  })

  test('shows the same outside a repository', async () => {
    const run = await bosun([], { cwd: folder })
    expect(run.exit).toBe(0)
    expect(run.stdout).toMatch(/^repository  none$/m)
  })
})

describe('colours', () => {
  const ESC = '\u001b['
  test.each([
    [{}, [], false],
    [{ FORCE_COLOR: '1' }, [], true],
    [{ FORCE_COLOR: '1', NO_COLOR: '1' }, [], false],
    [{ FORCE_COLOR: '1' }, ['--no-color'], false],
    [{ FORCE_COLOR: '1', TERM: 'dumb' }, [], true],
    [{ TERM: 'dumb' }, [], false],
  ])('with %j and %j: %s', async (env, flags, coloured) => {
    const run = await bosun(['doctor', ...flags], { env })
    expect(run.stdout.includes(ESC)).toBe(coloured)
    const wrong = await bosun(['nonsense', ...flags], { env })
    expect(wrong.stderr.includes(ESC)).toBe(coloured)
  })

  test('--json is never coloured', async () => {
    const run = await bosun(['doctor', '--json'], { env: { FORCE_COLOR: '1' } })
    expect(run.stdout).not.toContain(ESC)
  })
})

describe('a reader that closes the pipe', () => {
  test.each([
    ['bosun --help | true', 0],
    ['bosun --help | head -n 1', 0],
    ['bosun nonsense 2>&1 | true', 2],
  ])('%s ends quietly', async (line, exit) => {
    const script = `${line.replace('bosun', '"$BOSUN"')}; echo "$\{PIPESTATUS[0]}" >&2`
    const run = await bosun(['-c', script], {
      command: '/bin/bash',
      env: { BOSUN: BIN },
    })
    expect(run.stderr).toBe(`${exit}\n`)
  })
})

describe('an internal error', () => {
  /** Throws an uncaught exception while the command is waiting. */
  const bomb = join(folder, 'bomb.cjs')
  writeFileSync(bomb, "setImmediate(() => { throw new TypeError('x is not a function') })")
  const env = { NODE_OPTIONS: `--require ${bomb}` }

  test('is printed in two lines, without a stack trace', async () => {
    const run = await bosun(['doctor'], { env })
    expect(run).toMatchObject({ exit: 1, stdout: '' })
    expect(run.stderr).toMatch(
      /^error: internal error: x is not a function\n {2}.*report.*BOSUN_DEBUG=1.*\n$/,
    )
  })

  test('is one document with --json', async () => {
    const run = await bosun(['doctor', '--json'], { env })
    expect(run).toMatchObject({ exit: 1, stderr: '' })
    expect(JSON.parse(run.stdout)).toMatchObject({ schema: 'bosun.error/v1', error: { code: 'internal' } })
  })

  test('shows its stack under BOSUN_DEBUG=1', async () => {
    const run = await bosun(['doctor'], { env: { ...env, BOSUN_DEBUG: '1' } })
    expect(run.stderr).toMatch(/^ {4}at /m)
  })
})

describe('with streams closed', () => {
  test.each(['>&-', '2>&-', '<&-', '>&- 2>&- <&-'])('bosun doctor %s does not crash', async (how) => {
    const run = await bosun(['-c', `"$BOSUN" doctor ${how}`], { command: '/bin/sh', env: { BOSUN: BIN } })
    expect(run.exit).toBe(0)
    expect(run.stderr).toBe('')
  })
})
