import { expect, test } from 'vitest'
import { Refusal } from '../lib/refusal.ts'
import { ALL_COMMANDS } from './all-commands.ts'
import { overviewCommand } from './commands/people.ts'
import type { Services } from './services.ts'
import { runProgram } from './program.ts'
import { styleOf, type Terminal } from './terminal/terminal.ts'

/** Runs one command line inside a worker; every part of the outside world refuses with `reached`. */
async function runInWorker(line: readonly string[]): Promise<{ exit: number; output: string }> {
  let output = ''
  const reached = (): never => {
    throw new Refusal({ code: 'failed', message: 'reached', remedy: 'None.' })
  }
  const terminal: Terminal = {
    cwd: '/nowhere-at-all',
    env: { BOSUN_WORKER_ID: 'w-shop-1-1' },
    input: 'other',
    output: 'other',
    width: 80,
    height: 20,
    style: styleOf('plain'),
    messageStyle: styleOf('plain'),
    print: async () => 'written',
    onUnread: () => () => undefined,
    printMessage: (text) => {
      output += text
    },
    readInput: reached,
    converse: reached,
    attach: reached,
  }
  const services = new Proxy({}, { get: () => reached }) as Services
  const exit = await runProgram(
    {
      version: '1.0.0',
      commands: ALL_COMMANDS,
      overview: overviewCommand,
      terminal,
      services,
      flags: { json: false, noInput: true, noColour: true },
      onWaiting: () => undefined,
    },
    line,
  )
  return { exit, output }
}

const CHANGING = [
  ['answer', 'E-1', 'approve'],
  ['release', 'sign', 'shop'],
  ['cancel', 'shop'],
  ['run', 'plan.md'],
  ['resume'],
  ['pause'],
  ['stop'],
  ['serve'],
  ['open'],
  ['open', '--revoke'],
  ['clean'],
  ['import', 'file'],
  ['export', 'file'],
  ['init'],
  ['demo'],
  ['service', 'install'],
  ['worker', 'kill', 'w-shop-1-1'],
  ['worker', 'instruct', 'w-shop-1-1', 'go on'],
  ['worker', 'adopt', '--pid', '4711'],
] as const

test.each(CHANGING.map((line) => [line.join(' '), line] as const))(
  'bosun %s refuses to run inside a worker',
  async (_, line) => {
    const { exit, output } = await runInWorker(line)
    expect(exit).toBe(2)
    expect(output).toContain('w-shop-1-1')
    expect(output).toContain('only the user')
    expect(output).not.toContain('reached')
  },
)

const READING = [
  ['status'],
  ['log'],
  ['inbox'],
  ['watch'],
  ['task', 'show', '1'],
  ['worker', 'list'],
  ['worker', 'show', 'w-shop-1-1'],
  ['release', 'show', 'shop'],
  ['release', 'verify', 'shop'],
  ['doctor'],
] as const

test.each(READING.map((line) => [line.join(' '), line] as const))(
  'bosun %s, which only reads, runs inside a worker',
  async (_, line) => {
    expect((await runInWorker(line)).output).toContain('reached')
  },
)

test.each(['checkin working 10', 'report -', 'request need_help "text"'])(
  'bosun %s, a command of the worker itself, runs inside a worker',
  async (line) => {
    expect((await runInWorker(line.split(' '))).output).not.toContain('only the user')
  },
)

test('every command says whether a worker may call it, or is refused there', () => {
  const callable = ALL_COMMANDS.filter(({ insideWorker }) => insideWorker !== undefined)
  expect(callable.map(({ name }) => name).sort()).toEqual(
    [
      'checkin crew doctor inbox log mcp plan release report request simulate spec status task trace watch worker',
    ].flatMap((names) => names.split(' ')),
  )
})
