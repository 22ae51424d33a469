/** A worker or a check that has the user's token, with and without a sandbox around it: it is not the user. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { smallProject } from '../delivery/small-project.ts'

/** Work that no gate lets through, and then the answer of a person who would let it through. */
const APPROVE = `
const { readFileSync, writeFileSync } = require('node:fs')
const [state, notes] = process.argv.slice(2)
const said = []
const call = async (path, token, body) => {
  const { port } = JSON.parse(readFileSync(state + '/daemon.json', 'utf8'))
  const answer = await fetch('http://127.0.0.1:' + port + path, {
    method: body ? 'POST' : 'GET',
    headers: { authorization: 'Bearer ' + token, 'content-type': 'application/json' },
    body: body && JSON.stringify(body),
  })
  said.push(answer.status + ' ' + (await answer.text()).slice(0, 200))
}
const main = async () => {
  const token = readFileSync(state + '/token', 'utf8').trim()
  await call('/api/inbox', token)
  await call('/api/plans', token, { text: 'x' })
}
main().catch((error) => said.push(error.code ?? String(error))).finally(() => writeFileSync(notes, said.join('\\n') + '\\n'))
`

/** What the daemon answered to an agent that acts as the user, and then does its work. */
async function answersTo(agent: string, settings = ''): Promise<string> {
  const lab = smallProject({ agent: `${agent}; work; report`, settings, files: { 'approve.cjs': APPROVE } })
  try {
    const { exit } = await lab.deliver()
    expect(exit).toBe(0)
    return readFileSync(join(lab.folder, 'said'), 'utf8')
  } finally {
    await lab.dispose()
  }
}

const OFF = 'sandbox: { mode: off }\n'
const CALL = `node "$repo/approve.cjs" "$repo/../state" "$repo/../said"`

test('a worker without a sandbox that took the user’s token is refused by the daemon', async () => {
  expect(await answersTo(CALL, OFF)).toMatch(/^403 .*cannot act as the user.*\n403 /)
})

test('a worker that left its session and cleared its environment is refused as well', async () => {
  const call = `env -i PATH="$PATH" setsid sh -c '${CALL.replaceAll('$repo', '$0')}' "$repo"`
  expect(await answersTo(call, OFF)).toMatch(/^403 .*cannot act as the user/)
})

test('a worker in a sandbox does not find the token', async () => {
  expect(await answersTo(CALL)).toBe('ENOENT\n')
})
