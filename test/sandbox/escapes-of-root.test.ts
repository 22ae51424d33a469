/** Workers and checks that try to leave the sandbox of root, in every way that an attacker who had not read it thought of. */
import { expect, onTestFinished, test } from 'vitest'
import { EscapeLab } from './escape-lab.ts'

const isRoot = process.getuid?.() === 0

test.runIf(isRoot)('nothing leaves the sandbox of root but what docs/sandbox.md names', async () => {
  const lab = new EscapeLab('root')
  onTestFinished(() => lab.dispose())
  expect(await lab.escapes()).toEqual([])
})
