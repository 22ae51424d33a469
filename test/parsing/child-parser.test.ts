import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, expect, onTestFinished, test } from 'vitest'
import { describeParser } from '../conformance/parser.conformance.ts'
import { isUnread, type Parsed } from '../../src/core/languages/syntax.ts'
import { ChildParser, type ChildParserOptions } from '../../src/parsing/child-parser.ts'
import { programPath } from '../helpers/program-path.ts'
import { tempFolder } from '../helpers/temp-folder.ts'

const PARSE = programPath('src/parse.ts')

function aParser(options: Omit<ChildParserOptions, 'env'>): ChildParser {
  const parser = new ChildParser({ env: {}, ...options })
  onTestFinished(() => parser.close())
  return parser
}

/** A process that misbehaves when a text holds its name, and else answers with a tree of one node. */
function misbehaving(): readonly string[] {
  const folder = tempFolder('parsing')
  const file = join(folder, 'parse.mjs')
  writeFileSync(
    file,
    `process.on('disconnect', () => process.exit())
process.on('message', ({ text }) => {
  if (text.includes('crash')) process.kill(process.pid, 'SIGSEGV')
  else if (text.includes('leave')) process.exit(0)
  else if (text.includes('hang')) for (;;);
  else process.send({
    result: { kinds: ['pid ' + process.pid], fields: [], nodes: new Int32Array([0, 0, 0, 1, 0]) },
    isWorn: text.includes('worn'),
  })
})`,
  )
  return [process.execPath, file]
}

const outcome = (parsed: Parsed | undefined): string | undefined =>
  parsed === undefined ? undefined : isUnread(parsed) ? parsed.unread : 'tree'
const pidOf = (parsed: Parsed | undefined): number =>
  parsed === undefined || isUnread(parsed) ? 0 : Number(parsed.root.kind.split(' ')[1])

const one = async (parser: ChildParser, text: string): Promise<Parsed | undefined> =>
  (await parser.parse([{ path: 'a.ts', text }])).get('a.ts')

/** Resolves when no process has this id any more. */
async function ended(pid: number): Promise<void> {
  await expect.poll(() => isThere(pid), { timeout: 60_000 }).toBe(false)
}

function isThere(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch {
    return false
  }
}

const shared = new ChildParser({ command: [process.execPath, PARSE], env: {} })
afterAll(() => shared.close())
describeParser('the parser in a process of its own', () => shared)

test('a file that crashes the parser is unread, and the next one gets another process', async () => {
  const parser = aParser({ command: misbehaving() })
  expect(outcome(await one(parser, 'crash'))).toBe('crashed')
  expect(outcome(await one(parser, 'leave'))).toBe('crashed')
  expect(outcome(await one(parser, 'fine'))).toBe('tree')
})

test('a file that hangs the parser is unread after the time limit, and its process is killed', async () => {
  const parser = aParser({ command: misbehaving(), timeoutMs: 3_000 })
  const pid = pidOf(await one(parser, 'fine'))
  expect(outcome(await one(parser, 'hang'))).toBe('timed_out')
  await ended(pid)
  expect(outcome(await one(parser, 'also fine'))).toBe('tree')
})

test('a parser that cannot be started leaves every file unread', async () => {
  const parsed = await one(aParser({ command: ['/nowhere/node'] }), 'fine')
  expect(parsed === undefined || isUnread(parsed)).toBe(true)
})

test('the process ends when no file has come for a while, and the trees that were kept go with it', async () => {
  const parser = aParser({ command: misbehaving(), idleMs: 50 })
  const pid = pidOf(await one(parser, 'fine'))
  expect(isThere(pid)).toBe(true)
  await ended(pid)
  expect(pidOf(await one(parser, 'fine'))).not.toBe(pid)
})

test('a process that has become large is replaced', async () => {
  const parser = aParser({ command: misbehaving() })
  const pid = pidOf(await one(parser, 'worn'))
  expect(pidOf(await one(parser, 'fine'))).not.toBe(pid)
  await ended(pid)
})

test('the process has ended when the parser is closed, whatever it does', async () => {
  const parser = aParser({ command: misbehaving() })
  const pid = pidOf(await one(parser, 'fine'))
  const hanging = one(parser, 'hang')
  await parser.close()
  expect(isThere(pid)).toBe(false)
  expect(outcome(await hanging)).toBe('unavailable')
  expect(outcome(await one(parser, 'also fine'))).toBe('unavailable')
})

test('the process ends with the daemon, however that ends', async () => {
  const script = `import { ChildParser } from ${JSON.stringify(join(import.meta.dirname, '../../src/parsing/child-parser.ts'))}
const parser = new ChildParser(${JSON.stringify({ command: misbehaving(), env: {} })})
const parsed = await parser.parse([{ path: 'a.ts', text: 'fine' }])
console.log(parsed.get('a.ts').root.kind)
setInterval(() => undefined, 1_000)`
  const daemon = spawn(process.execPath, ['--input-type=module-typescript', '-e', script], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  onTestFinished(() => void daemon.kill('SIGKILL'))
  const [line] = (await once(daemon.stdout.setEncoding('utf8'), 'data')) as [string]
  const pid = Number(line.split(' ')[1])
  expect(isThere(pid)).toBe(true)
  daemon.kill('SIGKILL')
  await ended(pid)
})

test('the same content is parsed once', async () => {
  const parser = aParser({ command: misbehaving() })
  const first = pidOf(await one(parser, 'worn'))
  expect(pidOf(await one(parser, 'worn'))).toBe(first)
})

test('calls at the same time share one process', async () => {
  const parser = aParser({ command: misbehaving() })
  const parsed = await Promise.all(['a', 'b', 'c'].map((text) => one(parser, text)))
  expect(new Set(parsed.map(pidOf)).size).toBe(1)
})

test('where no process can be started, files are unread until one can', async () => {
  const script = `import { closeSync, openSync } from 'node:fs'
import { ChildParser } from ${JSON.stringify(join(import.meta.dirname, '../../src/parsing/child-parser.ts'))}
const parser = new ChildParser(${JSON.stringify({ command: misbehaving(), env: {} })})
const taken = []
try { for (;;) taken.push(openSync('/dev/null')) } catch {}
const ask = async () => (await parser.parse([{ path: 'a.ts', text: 'fine' }])).get('a.ts').unread ?? 'tree'
const outcomes = [await ask()]
for (const file of taken) closeSync(file)
outcomes.push(await ask())
process.stdout.write(outcomes.join(' '), () => process.exit())`
  const limited = ['-c', 'ulimit -n 100; exec "$@"', 'sh', process.execPath]
  const child = spawn('/bin/sh', [...limited, '--input-type=module-typescript', '-e', script], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  onTestFinished(() => void child.kill('SIGKILL'))
  const [said] = (await once(child.stdout.setEncoding('utf8'), 'data')) as [string]
  expect(said).toBe('unavailable tree')
})
