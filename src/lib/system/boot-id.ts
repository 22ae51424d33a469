/** A name for one run of the machine, from where the system keeps one. */
import { readFileSync } from 'node:fs'
import { orElse } from '../or-else.ts'

/** Sources of the boot id; each throws on other systems. */
export interface BootSources {
  readonly linux: () => string
  readonly macos: () => string
}

const SYSTEM: BootSources = {
  linux: () => readFileSync('/proc/sys/kernel/random/boot_id', 'utf8'),
  macos: () =>
    process
      .getBuiltinModule('node:child_process')
      .execFileSync('/usr/sbin/sysctl', ['-n', 'kern.bootsessionuuid'], {
        encoding: 'utf8',
        timeout: 2000,
        stdio: ['ignore', 'pipe', 'ignore'],
      }),
}

/** Every process that finds no name has one of its own: then nothing is compared across processes. */
let ownId: string | null = null

function idOfThisProcess(): string {
  ownId ??= `process-${process.getBuiltinModule('node:crypto').randomUUID()}`
  return ownId
}

export function bootId(sources: BootSources = SYSTEM): string {
  return readSource(sources.linux) ?? readSource(sources.macos) ?? idOfThisProcess()
}

/** Null for one that is not of this system. */
const readSource = (source: () => string): string | null => orElse(() => source().trim() || null, null)
