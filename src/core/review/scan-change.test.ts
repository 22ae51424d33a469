import { describe, expect, test } from 'vitest'
import { aChange } from '../../../test/helpers/a-change.ts'
import { loadTestParser } from '../../../test/helpers/test-parser.ts'
import type { Change } from '../gates/change.ts'
import { scanChange } from './scan-change.ts'

const parser = await loadTestParser('ts', 'js', 'py', 'go', 'rb', 'sh')
const scan = (change: Change) => scanChange(change, parser.ofChange(change))

const added = (path: string, text: string) => scan(aChange({ [path]: [null, `${text}\n`] }))
const findingText = (path: string, text: string): string =>
  added(path, text)
    .findings.map((one) => one.text)
    .join('; ')

describe('a possible injection makes work critical', () => {
  test.each([
    ['src/a.ts', 'eval(text)'],
    ['src/a.ts', 'const f = new Function(body)'],
    ['src/a.ts', 'execSync(`git log ${branch}`)'],
    ['src/a.ts', "spawn('ls', args, { shell: true })"],
    ['src/a.ts', 'db.query(`SELECT * FROM users WHERE id = ${id}`)'],
    ['src/a.ts', `db.query("DELETE FROM users WHERE id = " + id)`],
    ['src/a.tsx', 'element.innerHTML = text'],
    ['src/a.py', 'os.system("rm " + name)'],
    ['src/a.py', 'subprocess.run(line, shell=True)'],
    ['src/a.py', 'pickle.loads(data)'],
    ['src/a.py', 'yaml.load(text)'],
    ['src/a.py', 'cursor.execute(f"SELECT name FROM users WHERE id = {id}")'],
    ['src/a.rb', 'system("ls #{name}")'],
    ['src/a.go', 'exec.Command("sh", "-c", line)'],
    ['bin/a.sh', 'eval "$line"'],
  ])('%s: %s', (path, text) => {
    const { touches, findings } = added(path, text)
    expect(findings[0]).toMatchObject({ text: expect.stringMatching(/^injection: /), file: path, line: 1 })
    expect(touches[0]).toContain(`${path}:1`)
  })
})

test.each([
  ['src/a.ts', 'evaluate(text)'],
  ['src/a.ts', 'pattern.exec(text)'],
  ['src/a.ts', "execFile('git', ['log', branch])"],
  ['src/a.ts', "db.query('SELECT * FROM users WHERE id = ?', [id])"],
  ['src/a.ts', "element.innerHTML = ''"],
  ['src/a.py', 'yaml.load(text, Loader=yaml.SafeLoader)'],
  ['src/a.py', 'ast.literal_eval(text)'],
  ['docs/a.md', 'eval(text)'],
  ['test/a.test.ts', 'eval(text)'],
])('the scan finds nothing in %s: %s', (path, text) => {
  expect(added(path, text)).toMatchObject({ touches: [], findings: [] })
})

test.each([
  ['src/a.ts', 'readFile(join(root, req.query.name))', /^unchecked input: /],
  ['src/a.ts', 'fetch(url, { rejectUnauthorized: false })', /^unchecked input: /],
  ['src/a.ts', 'try { f() } catch {}', /^habit: it swallows an error/],
  ['src/a.ts', '// @ts-ignore', /^habit: it silences a checker/],
  ['test/a.test.ts', "test.only('one', f)", /^habit: it runs one test/],
])('%s: %s is a finding for the reviewer and not critical', (path, text, words) => {
  expect(findingText(path, text)).toMatch(words)
  expect(added(path, text).touches).toEqual([])
})

test('the scan reads only added lines', () => {
  const change = aChange({ 'src/a.ts': ['eval(a)\n', 'eval(a)\nb()\n'] })
  expect(scan(change).findings).toEqual([])
})

test('a schema change makes work critical in sources, not in docs', () => {
  expect(added('src/db.ts', "run('CREATE TABLE users (id int)')").touches).toEqual([
    'changes a schema: src/db.ts:1',
  ])
  expect(added('docs/db.md', 'CREATE TABLE users (id int)').touches).toEqual([])
})

test('a removed export makes work critical; one that moved within its file does not', () => {
  const before = 'export function a() {}\nexport const b = 1\n'
  const gone = scan(aChange({ 'src/a.ts': [before, 'export const b = 1\n'] }))
  expect(gone.touches).toEqual(['removes `a` from the interface of src/a.ts'])
  const moved = scan(aChange({ 'src/a.ts': [before, 'export const b = 1\nexport function a(x) {}\n'] }))
  expect(moved.touches).toEqual([])
})

test.each([
  ['src/a.ts', 'const a = 1\nexport { a }\n', 'const a = 1\nexport {}\n', 'a'],
  ['src/a.js', 'exports.a = 1\n', 'exports.b = 1\n', 'a'],
  ['src/a.py', 'A = 1\nb = 2\n', 'b = 2\n', 'A'],
  ['src/a.go', 'package a\n\nconst (\n\tA = 1\n\tB = 2\n)\n', 'package a\n\nconst (\n\tB = 2\n)\n', 'A'],
])('%s: a removed export is found', (path, before, after, name) => {
  expect(scan(aChange({ [path]: [before, after] })).touches).toEqual([
    `removes \`${name}\` from the interface of ${path}`,
  ])
})

test('a removed string is not a removed export', () => {
  const before = 'export const a = `\nexport const b = 1\n`\n'
  expect(scan(aChange({ 'src/a.ts': [before, 'export const a = 1\n'] })).touches).toEqual([])
})

test('findings are limited, with a note of how many were left out', () => {
  const { findings } = added('src/a.ts', Array.from({ length: 100 }, () => 'eval(x)').join('\n'))
  expect(findings).toHaveLength(40)
  expect(findings.at(-1)?.text).toBe('and 61 more')
})

test('changed lines are counted without those of tests and lock files', () => {
  expect(added('src/a.ts', 'a()\nb()').lines).toBe(2)
  expect(added('test/a.test.ts', 'a()').lines).toBe(0)
  expect(added('package-lock.json', '{}').lines).toBe(0)
})

test('a file in a folder of migrations that holds none, before and now, is said to be none', () => {
  const [source, migration] = [
    'def plan(all):\n    return all\n',
    'class Migration(migrations.Migration):\n    pass\n',
  ]
  const notOf = (before: string | null, after: string | null) =>
    scan(aChange({ 'db/migrations/plan.py': [before, after] })).notMigrations
  expect(notOf(source, `${source}\n\n`)).toEqual(['db/migrations/plan.py'])
  expect(notOf(null, source)).toEqual(['db/migrations/plan.py'])
  expect([notOf(migration, source), notOf(source, migration), notOf(migration, null)]).toEqual([
    undefined,
    undefined,
    undefined,
  ])
})
