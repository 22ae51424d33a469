/** Workers and checks that try to leave the sandbox of an ordinary user, in every way that an attacker who had not read it thought of. */
import { expect, onTestFinished, test } from 'vitest'
import { EscapeLab } from './escape-lab.ts'

test('nothing leaves the sandbox of an ordinary user but what docs/sandbox.md names', async () => {
  const lab = new EscapeLab('user')
  onTestFinished(() => lab.dispose())
  expect(await lab.escapes()).toEqual([])
})
