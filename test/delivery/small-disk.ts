/** A file system of a few megabytes that is really full when it is. Needs the right to mount one. */
import { execFileSync, spawnSync } from 'node:child_process'
import { closeSync, mkdirSync, openSync, rmdirSync, rmSync, writeSync } from 'node:fs'
import { join } from 'node:path'
import { tempFolder } from '../helpers/temp-folder.ts'

export class SmallDisk {
  readonly path: string

  constructor(path: string, megabytes: number) {
    mkdirSync(path, { recursive: true })
    execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${megabytes}m,mode=700`, 'bosun-test', path])
    this.path = path
  }

  get #filler(): string {
    return join(this.path, 'filler')
  }

  /** Takes every byte that is left. */
  fill(): void {
    const file = openSync(this.#filler, 'a')
    try {
      for (const bytes of [1024 * 1024, 4096, 1]) writeUntilFull(file, Buffer.alloc(bytes))
    } finally {
      closeSync(file)
    }
  }

  free(): void {
    rmSync(this.#filler, { force: true })
  }

  unmount(): void {
    execFileSync('umount', ['-l', this.path])
  }
}

function writeUntilFull(file: number, bytes: Buffer): void {
  for (;;) {
    try {
      if (writeSync(file, bytes) < bytes.length) return
    } catch (error) {
      if (error instanceof Error && 'code' in error && error.code === 'ENOSPC') return
      throw error
    }
  }
}

/** Whether this user may mount at all. */
export function mayMount(): boolean {
  const folder = tempFolder('mount')
  const isMounted = spawnSync('mount', ['-t', 'tmpfs', '-o', 'size=1m', 'bosun-test', folder]).status === 0
  if (isMounted) execFileSync('umount', [folder])
  rmdirSync(folder)
  return isMounted
}
