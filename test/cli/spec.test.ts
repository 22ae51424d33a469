/** `bosun spec check` and `bosun trace`, seen from outside. */
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { bosun, ROOT } from './bosun.ts'
import { tempFolder } from '../helpers/temp-folder.ts'

const folder = tempFolder()
const page = readFileSync(join(ROOT, 'docs/spec.md'), 'utf8')
const [, example = ''] = /```markdown\n([^]*?)\n```/.exec(page) ?? []

describe('bosun spec check', () => {
  test('accepts the example of the docs, from a file and from a pipe', async () => {
    writeFileSync(join(folder, 'spec.md'), example)
    const fromFile = await bosun(['spec', 'check', 'spec.md'], { cwd: folder })
    expect(fromFile).toMatchObject({ exit: 0, stderr: '' })
    expect(fromFile.stdout).toContain('2 requirements, 5 criteria')
    const piped = await bosun(['spec', 'check', '-', '--json'], { cwd: folder, input: example })
    expect(piped.exit).toBe(0)
    expect(JSON.parse(piped.stdout)).toMatchObject({
      schema: 'bosun.spec/v1',
      file: '-',
      valid: true,
      problems: [],
    })
  })

  test('exits 1 for a broken spec, 3 without one, 2 for what is no text', async () => {
    writeFileSync(join(folder, 'broken.md'), example.replace('R-002: ', 'R-001: '))
    const broken = await bosun(['spec', 'check', 'broken.md'], { cwd: folder })
    expect(broken.exit).toBe(1)
    expect(broken.stdout).toMatch(/^broken\.md:41: error: the id R-001 is used twice/)
    expect((await bosun(['spec', 'check', 'none.md'], { cwd: folder })).exit).toBe(3)
    writeFileSync(join(folder, 'binary.md'), Buffer.from([0, 159, 146, 150]))
    expect((await bosun(['spec', 'check', 'binary.md'], { cwd: folder })).exit).toBe(2)
    expect((await bosun(['spec', 'write', 'spec.md'], { cwd: folder })).exit).toBe(2)
  })
})

test('bosun trace without any plan says so and exits 3, without starting a daemon', async () => {
  const run = await bosun(['trace', 'R-001'], { cwd: folder })
  expect(run.exit).toBe(3)
  expect(run.stderr).toContain('no plan traces requirement R-001')
})
