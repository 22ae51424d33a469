/** A small repository with a plan that Bosun delivers for real, by the program in src/main.ts. */
import { execFileSync, spawn, type ChildProcess } from 'node:child_process'
import { cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { ended, type Ended } from '../delivery/lab.ts'
import { tempFolder } from '../helpers/temp-folder.ts'
import { endProcessesIn } from '../helpers/end-processes.ts'
import { requireDocuments } from '../helpers/json-documents.ts'
import { pathWithoutAgents } from '../helpers/path-without-agents.ts'
import { programPath } from '../helpers/program-path.ts'

const PROGRAM = programPath('src/main.ts')

const AGENT = `
import fs from 'node:fs'
const contract = JSON.parse(fs.readFileSync(process.env.BOSUN_CONTRACT, 'utf8'))
const id = process.env.BOSUN_TASK_ID
const [source] = contract.expected_files.create
const [spec] = contract.tests_to_add
fs.mkdirSync('src', { recursive: true })
fs.writeFileSync(source, 'export const v' + id + ' = () => ' + id + '\\n')
fs.writeFileSync(spec, "import { test } from 'node:test'\\nimport assert from 'node:assert/strict'\\n" +
  "import { v" + id + " } from '../" + source + "'\\n" +
  "test('v" + id + "', () => { assert.equal(v" + id + "(), " + id + ") })\\n")
fs.writeFileSync(process.env.BOSUN_REPORT, JSON.stringify({
  criteria: [{ criterion: 1, file: source, line: 1 }],
  review_note: { summary: 'adds v' + id, risks: [], rollback: 'revert' },
}))
`

/** Of two plans, equal tasks have other files. */
const task = (id: string, prefix = 'v'): string => `
  - id: "${id}"
    title: Add ${id}
    ownership: src/${prefix}${id}
    tier: low
    acceptance_criteria: ["v${id} is ${id}"]
    files: { create: [src/${prefix}${id}.js] }
    tests_to_add: [test/${prefix}${id}.test.js]
    tests_to_run: ["node --test test/${prefix}${id}.test.js"]`

const FILES: Readonly<Record<string, string>> = {
  'package.json': '{ "name": "nums", "type": "module" }\n',
  'src/base.js': 'export const one = () => 1\n',
  'test/base.test.js':
    "import { test } from 'node:test'\nimport assert from 'node:assert/strict'\nimport { one } from '../src/base.js'\ntest('one', () => { assert.equal(one(), 1) })\n",
  'tools/agent.mjs': AGENT,
  'bosun.yaml':
    'agents:\n  mine: { protocol: command, command: [node, tools/agent.mjs] }\nroles: { developer: mine, fixer: mine, reviewer: mine }\n',
  'plan.yaml': `plan: nums\ntitle: Numbers\nenvironment: { test: "node --test", lint: null, typecheck: null, build: null,\n  migrations: { up: 'test ! -e "$TMPDIR/table" && touch "$TMPDIR/table"', down: 'rm "$TMPDIR/table"' } }\ntasks:${task('1')}${task('2')}\n`,
}

/** Of another plan whose tasks have the same ids. */
export const OTHER_PLAN = `plan: more\ntitle: More numbers\nenvironment: { test: "node --test", lint: null, typecheck: null, build: null }\ntasks:${task('1', 'w')}${task('2', 'w')}\n`

export class Project {
  readonly folder: string
  readonly root: string
  readonly repo: string

  private constructor(folder: string, state: string) {
    this.folder = folder
    this.root = state
    this.repo = join(folder, 'nums')
  }

  static create(): Project {
    const folder = tempFolder('release')
    const project = new Project(folder, join(folder, 'state'))
    mkdirSync(project.repo)
    project.git('init', '-q', '-b', 'main', '.')
    project.git('config', 'user.name', 'Ada')
    project.git('config', 'user.email', 'ada@example.org')
    project.write(FILES)
    project.git('add', '-A')
    project.git('commit', '-q', '-m', 'Start')
    return project
  }

  /** The repository alone, copied; with a state root in which nothing ever was. */
  copy(): Project {
    const folder = mkdtempSync(join(this.folder, 'copy-'))
    cpSync(this.repo, join(folder, 'nums'), { recursive: true })
    return new Project(folder, join(folder, 'state'))
  }

  write(files: Readonly<Record<string, string>>): void {
    for (const [path, text] of Object.entries(files)) {
      mkdirSync(dirname(join(this.repo, path)), { recursive: true })
      writeFileSync(join(this.repo, path), text)
    }
  }

  git(...args: string[]): string {
    const env = { PATH: process.env['PATH'], HOME: this.folder, GIT_CONFIG_NOSYSTEM: '1' }
    return execFileSync('git', args, { cwd: this.repo, encoding: 'utf8', stdio: 'pipe', env }).trim()
  }

  async bosun(...args: string[]): Promise<Ended> {
    const done = await ended(this.spawn(args))
    requireDocuments(args, done.stdout)
    return done
  }

  spawn(args: readonly string[], env: Readonly<Record<string, string>> = {}): ChildProcess {
    return spawn(process.execPath, [PROGRAM, ...args], {
      cwd: this.repo,
      env: {
        PATH: pathWithoutAgents(`${dirname(process.execPath)}:${process.env['PATH'] ?? ''}`),
        HOME: this.folder,
        BOSUN_HOME: this.root,
        USER: 'ann',
        ...env,
      },
      stdio: ['ignore', 'pipe', 'pipe'],
    })
  }

  dispose(): void {
    endProcessesIn(this.folder)
    rmSync(this.folder, { recursive: true, force: true, maxRetries: 5 })
  }
}
