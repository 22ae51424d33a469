import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { installAdapterOf } from './install-adapter.ts'

test('without npm on the PATH nothing is fetched, and the agent runs as a command', async () => {
  const place = { root: join(tmpdir(), 'bosun-no-npm'), env: { PATH: '/nowhere' } }
  await expect(installAdapterOf('claude', place)).rejects.toMatchObject({
    code: 'failed',
    message: expect.stringMatching(/^cannot fetch .*claude-agent-acp@[\d.]+: npm is not on the PATH$/),
    remedy: expect.stringContaining('Until then claude runs as a plain command.'),
  })
})
