import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { readRegular } from './read-if-exists.ts'
import { makeStateFolder } from './state-folder.ts'

let folder: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'bosun-folder-'))
})
afterEach(() => rmSync(folder, { recursive: true }))

describe('the folder of the state', () => {
  test('is made with all folders above it, for its owner alone', async () => {
    const root = join(folder, 'a', 'b')
    expect(await makeStateFolder(root)).toBe(null)
    expect(statSync(root).mode & 0o777).toBe(0o700)
    expect(await makeStateFolder(root)).toBe(null)
  })

  test.runIf(process.platform === 'linux')(
    'is refused at once where the system makes no folders',
    async () => {
      expect(await makeStateFolder('/proc/bosun/state')).toMatchObject({
        what: "cannot store Bosun's state here: cannot create a folder on this file system",
        remedy: expect.stringContaining('BOSUN_HOME'),
      })
    },
  )

  test('is refused where a file, a FIFO or a dangling link is in the way', async () => {
    writeFileSync(join(folder, 'file'), '')
    execFileSync('mkfifo', [join(folder, 'fifo')])
    symlinkSync(join(folder, 'nothing'), join(folder, 'link'))
    for (const name of ['file', 'file/below', 'fifo', 'link'])
      expect(await makeStateFolder(join(folder, name)), name).toMatchObject({ where: join(folder, name) })
  })

  test.each(['token', 'daemon.json', 'bosun.db'])(
    'is refused where %s is a FIFO or a folder',
    async (name) => {
      execFileSync('mkfifo', [join(folder, name)])
      expect(await makeStateFolder(folder)).toMatchObject({ where: join(folder, name) })
      rmSync(join(folder, name))
      mkdirSync(join(folder, name))
      expect(await makeStateFolder(folder)).toMatchObject({ where: join(folder, name) })
    },
  )
})

test('a FIFO in the place of a file is not waited for', async () => {
  execFileSync('mkfifo', [join(folder, 'fifo')])
  await expect(readRegular(join(folder, 'fifo'))).rejects.toThrow('is not a file')
})
