/** Runs the real bin/bosun as a child process. `npm run build` comes first. */
import { spawn } from 'node:child_process'
import { cpSync, mkdirSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { emptiedAfterEachFile } from '../helpers/temp-folder.ts'
import { requireDocuments } from '../helpers/json-documents.ts'

export const ROOT = join(import.meta.dirname, '../..')
export const BIN = join(ROOT, 'bin/bosun')
export const ENTRY = join(ROOT, 'dist/bosun.cjs')

export interface Run {
  readonly exit: number | null
  readonly signal: NodeJS.Signals | null
  readonly stdout: string
  readonly stderr: string
}

export interface RunOptions {
  readonly command?: string
  readonly cwd?: string
  readonly env?: Readonly<Record<string, string>>
  readonly input?: string | Uint8Array
}

/** Copies the bundle, without what running it leaves beside it: that may be replaced at any moment. */
export function copyDist(to: string): void {
  const filter = (path: string) => !basename(path).startsWith('.')
  cpSync(join(ROOT, 'dist'), to, { recursive: true, filter })
}

const home = emptiedAfterEachFile(join(tmpdir(), `bosun-cli-home-${process.pid}`))

/** Sees nothing of the user's: no colours, no settings, a state root of its own. */
export const CLEAN_ENV: Readonly<Record<string, string>> = {
  PATH: process.env['PATH'] ?? '',
  HOME: home,
  TMPDIR: tmpdir(),
  BOSUN_HOME: join(home, 'state'),
  // A repository around the temporary folder is none of a test's.
  GIT_CEILING_DIRECTORIES: tmpdir(),
}

/** What it prints with `--json` has to be a document of the table. */
export async function bosun(args: readonly string[], options: RunOptions = {}): Promise<Run> {
  const run = await started(args, options)
  requireDocuments(args, run.stdout)
  return run
}

function started(args: readonly string[], options: RunOptions): Promise<Run> {
  mkdirSync(home, { recursive: true })
  return new Promise((resolve, reject) => {
    const child = spawn(options.command ?? BIN, args, {
      cwd: options.cwd ?? home,
      env: { ...CLEAN_ENV, ...options.env },
      stdio: 'pipe',
    })
    let stdout = ''
    let stderr = ''
    child.stdout.setEncoding('utf8').on('data', (text: string) => (stdout += text))
    child.stderr.setEncoding('utf8').on('data', (text: string) => (stderr += text))
    child.on('error', reject)
    child.on('close', (exit, signal) => resolve({ exit, signal, stdout, stderr }))
    // A program that does not read its input is no failure of the test.
    child.stdin.on('error', () => undefined)
    child.stdin.end(options.input ?? '')
  })
}
