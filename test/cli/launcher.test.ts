/** bin/bosun finds a fit Node or says in one line what is needed. */
import { execFileSync } from 'node:child_process'
import { chmodSync, cpSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { parseSync } from 'rolldown/utils'
import { describe, expect, test } from 'vitest'
import { walk, type SyntaxNode } from '../architecture/syntax.ts'
import { BIN, bosun, copyDist, ENTRY, ROOT } from './bosun.ts'
import { tempFolder } from '../helpers/temp-folder.ts'

const folder = tempFolder()
const version = (JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as { version: string }).version

/** A copy of the launcher in a place of its own, with what the test puts beside it. */
function install(name: string, beside: { dist?: true; nodeModules?: true }): string {
  const root = join(folder, name)
  mkdirSync(join(root, 'bin'), { recursive: true })
  cpSync(BIN, join(root, 'bin/bosun'))
  if (beside.dist) copyDist(join(root, 'dist'))
  if (beside.nodeModules) mkdirSync(join(root, 'node_modules'))
  return join(root, 'bin/bosun')
}

/** A folder for the PATH with only the named programs in it. */
function pathWith(name: string, programs: readonly string[]): string {
  const path = join(folder, name)
  mkdirSync(path)
  for (const program of programs) {
    symlinkSync(execFileSync('which', [program], { encoding: 'utf8' }).trim(), join(path, program))
  }
  return path
}

describe('the launcher', () => {
  test('runs through a chain of relative and absolute symbolic links', async () => {
    mkdirSync(join(folder, 'a folder/deep'), { recursive: true })
    symlinkSync(BIN, join(folder, 'a folder/deep/absolute'))
    symlinkSync('deep/absolute', join(folder, 'a folder/relative'))
    symlinkSync(join(folder, 'a folder'), join(folder, 'linked folder'))
    for (const command of ['a folder/relative', 'linked folder/relative']) {
      const run = await bosun(['--version'], { command: join(folder, command) })
      expect(run).toMatchObject({ exit: 0, stdout: `${version}\n`, stderr: '' })
    }
  })

  test('is found through the PATH', async () => {
    symlinkSync(BIN, join(folder, 'bosun'))
    const run = await bosun(['-c', 'bosun --version'], {
      command: '/bin/sh',
      env: { PATH: `${folder}:${process.env['PATH']}` },
    })
    expect(run).toMatchObject({ exit: 0, stdout: `${version}\n` })
  })

  test('names the command to run when nothing is installed', async () => {
    const run = await bosun([], { command: install('bare', {}) })
    expect(run.exit).toBe(1)
    expect(run.stderr).toMatch(/^bosun: not built yet; run: cd .*bare && npm ci\n$/)
  })

  test('names the command to run when nothing is built', async () => {
    const run = await bosun([], { command: install('unbuilt', { nodeModules: true }) })
    expect(run).toMatchObject({ exit: 1, stdout: '' })
    expect(run.stderr).toMatch(/^bosun: not built yet; run: cd .*unbuilt && npm run build\n$/)
  })

  test('names the requirement when there is no Node', async () => {
    const path = pathWith('no-node', ['sh', 'dirname', 'readlink'])
    const run = await bosun([], { command: install('lonely', { dist: true }), env: { PATH: path } })
    expect(run).toMatchObject({ exit: 1, stdout: '' })
    expect(run.stderr).toMatch(/^bosun: needs Node 24\.15 or newer, and there is no node .*\n$/)
  })

  test('uses the Node on the PATH without an installed one', async () => {
    const path = pathWith('with-node', ['sh', 'dirname', 'readlink'])
    writeFileSync(
      join(path, 'node'),
      `#!/bin/sh\necho "the user's node" >&2\nexec ${process.execPath} "$@"\n`,
    )
    chmodSync(join(path, 'node'), 0o755)
    const run = await bosun(['--version'], {
      command: install('global', { dist: true }),
      env: { PATH: path },
    })
    expect(run).toMatchObject({ exit: 0, stdout: `${version}\n`, stderr: "the user's node\n" })
  })
})

describe('the entry', () => {
  const { whatIsNeeded } = createRequire(import.meta.url)(ENTRY) as {
    whatIsNeeded: (version: string, path: string) => string | null
  }

  test.each(['24.15.0', '24.21.0', '25.0.0', '26.1.0', '100.0.0'])('takes Node %s', (fit) => {
    expect(whatIsNeeded(fit, '/usr/bin/node')).toBeNull()
  })

  test.each(['0.10.48', '10.24.1', '18.20.0', '20.20.2', '22.22.0', '24.14.1'])('refuses Node %s', (old) => {
    expect(whatIsNeeded(old, '/usr/bin/node')).toBe(
      `bosun: needs Node 24.15 or newer, and /usr/bin/node is ${old}; get it from https://nodejs.org`,
    )
  })

  test('fails on an old Node with one line, and loads nothing else', async () => {
    const pretend = join(folder, 'pretend.cjs')
    writeFileSync(
      pretend,
      'Object.defineProperty(process, "versions", { value: { ...process.versions, node: "20.20.2" } })',
    )
    const run = await bosun(['-r', pretend, ENTRY, 'plan', 'x.md'], { command: process.execPath })
    expect(run).toMatchObject({ exit: 1, stdout: '' })
    expect(run.stderr).toMatch(/^bosun: needs Node 24\.15 or newer, and \S+ is 20\.20\.2; .*\n$/)
  })

  test('is written so that any Node can parse it', () => {
    const modern = [
      'ArrowFunctionExpression ClassDeclaration TemplateLiteral SpreadElement ObjectPattern ArrayPattern',
      'ImportDeclaration ImportExpression ChainExpression AwaitExpression ForOfStatement',
    ].flatMap((line) => line.split(' '))
    const found: string[] = []
    walk(parseSync(ENTRY, readFileSync(ENTRY, 'utf8')).program as unknown as SyntaxNode, (node) => {
      if (modern.includes(node.type)) found.push(node.type)
      if (node.type === 'VariableDeclaration' && node['kind'] !== 'var') found.push(String(node['kind']))
      if (node.type === 'LogicalExpression' && node['operator'] === '??') found.push('??')
    })
    expect(found).toEqual([])
  })
})
