/** A name for one run of the machine, from where the system keeps one. */
import { readFileSync } from 'node:fs'

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

function readSource(source: () => string): string | null {
  try {
    const text = source().trim()
    return text === '' ? null : text
  } catch {
    // Not this system: try the next source.
    return null
  }
}
