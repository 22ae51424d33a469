/** Lists the current files of a repository, to detect how it is built and tested. */
import { join } from 'node:path'
import { READ_MANIFESTS, type Listing } from '../core/repository-facts/detect-commands.ts'
import { isWorkflowPath } from '../core/repository-facts/test-candidates.ts'
import { fileBytes } from '../lib/files/read-if-exists.ts'
import { Refusal } from '../lib/refusal.ts'
import { runProgram } from '../lib/process/run-program.ts'

const MAX_LISTING_BYTES = 256 * 1024 * 1024
const MAX_MANIFEST_BYTES = 4 * 1024 * 1024
const TIMEOUT_MS = 30_000

/** What git tracks and what it would track; what is ignored is not looked at. */
export async function repositoryListing(
  root: string,
  env: Readonly<Record<string, string | undefined>>,
): Promise<Listing> {
  const listed = await runProgram({
    command: 'git',
    args: ['-c', 'core.fsmonitor=false', 'ls-files', '-z', '--cached', '--others', '--exclude-standard'],
    cwd: root,
    env: { ...env, GIT_OPTIONAL_LOCKS: '0' },
    timeoutMs: TIMEOUT_MS,
    maxBytes: MAX_LISTING_BYTES,
  })
  if (listed.kind !== 'exited' || listed.code !== 0) {
    const why = listed.kind === 'exited' ? (listed.stderr.split('\n', 1)[0] ?? '') : listed.kind
    throw new Refusal({
      code: 'failed',
      message: `cannot list the files of ${root}: ${why}`,
      remedy: 'Check `git status` there.',
    })
  }
  const files = new Set(listed.stdout.split('\0').filter((path) => path !== ''))
  const texts = new Map<string, string>()
  for (const name of [...files].filter((path) => READ_MANIFESTS.includes(path) || isWorkflowPath(path))) {
    const bytes = await fileBytes(join(root, name), MAX_MANIFEST_BYTES).catch(() => 'too_long' as const)
    // An unreadable file names no command.
    if (bytes !== 'too_long') texts.set(name, new TextDecoder().decode(bytes))
  }
  return { files, read: (path) => texts.get(path) ?? null }
}
