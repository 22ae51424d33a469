/** Small files that are there whole or not at all, also after a power cut. */
import { closeSync, fsyncSync, linkSync, openSync, renameSync, rmSync, writeSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'

const OWNER_ONLY = 0o600

/** Takes the place of what was there. */
export function writeWhole(path: string, text: string, mode: number = OWNER_ONLY): void {
  withDraft(path, { text, mode }, (draft) => renameSync(draft, path))
}

/** False if something was there already; then it stays as it was. */
export function createWhole(path: string, text: string): boolean {
  let isCreated = true
  withDraft(path, { text, mode: OWNER_ONLY }, (draft) => {
    try {
      linkSync(draft, path)
    } catch (error) {
      if (!(error instanceof Error) || !('code' in error) || error.code !== 'EEXIST') throw error
      isCreated = false
    }
  })
  return isCreated
}

function syncFolder(path: string): void {
  const folder = openSync(path, 'r')
  try {
    fsyncSync(folder)
  } finally {
    closeSync(folder)
  }
}

function withDraft(
  path: string,
  content: { readonly text: string; readonly mode: number },
  place: (draft: string) => void,
): void {
  // Loading what makes random names would cost a supervisor a tenth of its start.
  const draft = join(dirname(path), `.${basename(path)}.${process.pid}-${process.hrtime.bigint()}.part`)
  try {
    const file = openSync(draft, 'wx', content.mode)
    try {
      writeSync(file, content.text)
      fsyncSync(file)
    } finally {
      closeSync(file)
    }
    place(draft)
    syncFolder(dirname(path))
  } finally {
    rmSync(draft, { force: true })
  }
}
