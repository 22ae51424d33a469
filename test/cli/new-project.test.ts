/** `bosun start` and `bosun interview` in a folder that has no commit to start from. */
import { execFileSync, spawn } from 'node:child_process'
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { endProcessesOf } from '../helpers/end-processes.ts'
import { BIN, bosun, CLEAN_ENV } from './bosun.ts'
import { tempFolder } from '../helpers/temp-folder.ts'

const folder = tempFolder()
const root = join(folder, 'state')
const settings = join(folder, 'gitconfig')
writeFileSync(
  settings,
  '[user]\n  name = Ann Lee\n  email = ann@example.com\n[init]\n  defaultBranch = main\n',
)
// The scripted agent counts as one where a script is named.
const env = { BOSUN_HOME: root, USER: 'ann', GIT_CONFIG_GLOBAL: settings, BOSUN_SCRIPT: join(folder, 'none') }
const SENTENCE = 'a todo app for the terminal'

afterAll(async () => {
  await bosun(['stop'], { env })
  endProcessesOf(root)
})

function emptyFolder(name: string): string {
  const place = join(folder, name)
  mkdirSync(place)
  return place
}

const git = (place: string, ...args: readonly string[]): string =>
  execFileSync('git', ['-C', place, ...args], { encoding: 'utf8', env: { ...CLEAN_ENV, ...env } }).trim()

/** A terminal: each answer is typed when its question is shown. */
async function atTerminal(
  cwd: string,
  args: readonly string[],
  answers: readonly (readonly [question: string, answer: string])[],
): Promise<{ readonly exit: unknown; readonly shown: string }> {
  const command = [BIN, ...args.map((arg) => `'${arg}'`)].join(' ')
  const child = spawn('script', ['-qec', command, '/dev/null'], {
    cwd,
    env: { ...CLEAN_ENV, ...env, TERM: 'xterm', NO_COLOR: '1' },
    stdio: ['pipe', 'pipe', 'inherit'],
  })
  let shown = ''
  let seen = 0
  let next = 0
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    shown += text
    const [question, answer] = answers[next] ?? []
    if (question === undefined || !shown.slice(seen).includes(question)) return
    seen = shown.length
    next += 1
    child.stdin.write(`${answer}\n`)
  })
  const exit = await new Promise((resolve) => child.once('close', resolve))
  expect(next, shown).toBe(answers.length)
  return { exit, shown }
}

test('without a terminal a folder without git is refused with the commands to run, and stays as it is', async () => {
  const place = emptyFolder('refused')
  writeFileSync(join(place, 'notes.txt'), 'mine\n')
  for (const args of [
    ['start', SENTENCE],
    ['start', SENTENCE, '--no-input'],
    ['interview', '--text', SENTENCE],
  ]) {
    const { exit, stderr } = await bosun(args, { cwd: place, env })
    expect(exit, stderr).toBe(10)
    expect(stderr).toContain(`${place} is not a git repository`)
    expect(stderr).toContain("git init && git commit --allow-empty -m 'Start'")
  }
  git(place, 'init', '-q')
  const { exit, stderr } = await bosun(['start', SENTENCE], { cwd: place, env })
  expect(exit).toBe(10)
  expect(stderr).toContain('has no commit yet')
  expect(stderr).toContain("Create it with: git commit --allow-empty -m 'Start'")
  expect(readdirSync(place)).toEqual(['.git', 'notes.txt'])
  const doctor = await bosun(['doctor'], { cwd: place, env })
  expect(doctor.stdout).toContain("git commit --allow-empty -m 'Start'")
})

test('--yes creates the repository with an empty commit by the user, and the files stay untracked', async () => {
  const place = emptyFolder('agreed')
  writeFileSync(join(place, 'notes.txt'), 'mine\n')
  const { exit, stderr } = await bosun(['start', SENTENCE, '--yes'], { cwd: place, env })
  expect(exit, stderr).toBe(10)
  expect(stderr).toContain('created a git repository with an empty first commit')
  expect(stderr).toContain('The files that were here are not in it')
  expect(git(place, 'log', '--format=%an <%ae> %cn %s')).toBe('Ann Lee <ann@example.com> Ann Lee Start')
  expect(git(place, 'symbolic-ref', 'HEAD')).toBe('refs/heads/main')
  expect(git(place, 'ls-tree', 'HEAD')).toBe('')
  expect(git(place, 'status', '--porcelain')).toBe('?? notes.txt')
  expect(readFileSync(join(place, 'notes.txt'), 'utf8')).toBe('mine\n')
})

test('what is staged before the first commit stays staged', async () => {
  const place = emptyFolder('staged')
  git(place, 'init', '-q')
  writeFileSync(join(place, 'a.txt'), 'a\n')
  git(place, 'add', 'a.txt')
  await bosun(['interview', '--text', SENTENCE, '--yes'], { cwd: place, env })
  expect(git(place, 'ls-tree', 'HEAD')).toBe('')
  expect(git(place, 'status', '--porcelain')).toBe('A  a.txt')
})

test('nothing is created where git does not know the user, or in the home folder', async () => {
  const place = emptyFolder('unknown')
  const unknown = await bosun(['start', SENTENCE, '--yes'], {
    cwd: place,
    env: { ...env, GIT_CONFIG_GLOBAL: '/dev/null' },
  })
  expect(unknown.exit).toBe(1)
  expect(unknown.stderr).toContain('git config --global user.name')
  const home = await bosun(['start', SENTENCE, '--yes'], { cwd: place, env: { ...env, HOME: place } })
  expect(home.exit).toBe(2)
  expect(home.stderr).toContain('your home folder')
  expect(readdirSync(place)).toEqual([])
})

test.skipIf(!existsSync('/usr/bin/script'))(
  'at a terminal it is one question before anything else: no changes nothing, yes goes on to the interview',
  async () => {
    const place = emptyFolder('asked')
    const declined = await atTerminal(place, ['start', SENTENCE], [['[Y/n]', 'n']])
    expect(declined.shown).toContain('is not a git repository')
    expect(declined.shown).toContain('nothing was started')
    expect(readdirSync(place)).toEqual([])
    const agreed = await atTerminal(
      place,
      ['interview', '--text', SENTENCE],
      [
        ['[Y/n]', ''],
        ['1/7', ''],
        ['2/7', ''],
        ['3/7', 'The page lists the menu'],
        ['> ', ''],
        ['4/7', ''],
        ['5/7', ''],
        ['6/7', ''],
        ['7/7', 'python'],
        ['1 or 2> ', '2'],
      ],
    )
    expect(agreed.shown).toContain('created a git repository with an empty first commit')
    expect(agreed.shown).toMatch(/bosun run \S+/)
  },
)
