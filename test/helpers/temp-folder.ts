/** Folders of tests: gone after the last test of their file, or of the program that is no test. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

const folders: string[] = []

export function tempFolder(name = 'test'): string {
  const folder = mkdtempSync(join(tmpdir(), `bosun-${name}-`))
  folders.push(folder)
  return folder
}

const lasting: string[] = []

/** A place that a module names once, for one file after the other. */
export function emptiedAfterEachFile(folder: string): string {
  lasting.push(folder)
  return folder
}

/** Called after the last test of a file (after-each-file.ts). */
export function removeTempFolders(): void {
  for (const folder of [...folders.splice(0), ...lasting])
    rmSync(folder, { recursive: true, force: true, maxRetries: 5 })
}
