/** `bosun init --skill`, through the real command line. */
import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { bosun } from './bosun.ts'
import { documentProblems } from '../helpers/json-documents.ts'
import { tempFolder } from '../helpers/temp-folder.ts'

const FILES = [
  '.claude/skills/pm-agent/SKILL.md',
  '.agents/skills/pm-agent/SKILL.md',
  '.opencode/commands/pm-agent.md',
  '.gemini/commands/pm-agent.toml',
]

function repository(): string {
  const path = tempFolder()
  execFileSync('git', ['init', '-q', path])
  return path
}

test('init --skill writes the skill at the root for every agent, and no bosun.yaml', async () => {
  const root = repository()
  mkdirSync(join(root, 'deep'))
  const run = await bosun(['init', '--skill'], { cwd: join(root, 'deep') })
  expect(run).toMatchObject({ exit: 0, stderr: '' })
  for (const path of FILES) {
    expect(run.stdout).toContain(`wrote ${path} (`)
    expect(readFileSync(join(root, path), 'utf8')).toContain('bosun run "<plan>" --design "<design>"')
  }
  expect(existsSync(join(root, 'bosun.yaml'))).toBe(false)
})

test('init --skill --json lists the files with what became of each', async () => {
  const root = repository()
  writeFileSync(join(root, 'bosun.yaml'), 'approval: release\n')
  const run = await bosun(['init', '--skill', '--json'], { cwd: root })
  expect(run.exit).toBe(0)
  expect(JSON.parse(run.stdout)).toMatchObject({
    schema: 'bosun.init/v1',
    files: FILES.map((path) => ({ path, outcome: 'written', why: null })),
  })
  expect(documentProblems(JSON.parse(run.stdout), ['init --skill'])).toEqual([])
})

test('init --json is the document of its command', async () => {
  const root = repository()
  const run = await bosun(['init', '--json'], { cwd: root })
  expect(JSON.parse(run.stdout), run.stderr).toMatchObject({
    schema: 'bosun.init/v1',
    file: expect.any(String),
  })
  expect(documentProblems(JSON.parse(run.stdout), ['init'])).toEqual([])
  expect(existsSync(join(root, 'bosun.yaml'))).toBe(true)
})

test('init --skill reports a file of the user in one line, leaves it, and exits with 4', async () => {
  const root = repository()
  const [path = ''] = FILES
  mkdirSync(join(root, '.claude/skills/pm-agent'), { recursive: true })
  writeFileSync(join(root, path), 'mine\n')
  const run = await bosun(['init', '--skill'], { cwd: root })
  expect(run.exit).toBe(4)
  expect(run.stdout.split('\n').filter((line) => line.includes(path))).toEqual([
    `did not write ${path}: a file with other content already exists; move it away and run \`bosun init --skill\` again`,
  ])
  expect(readFileSync(join(root, path), 'utf8')).toBe('mine\n')
  expect(existsSync(join(root, '.gemini/commands/pm-agent.toml'))).toBe(true)
})
