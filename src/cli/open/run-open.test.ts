import { expect, test } from 'vitest'
import { documentProblems } from '../../../test/helpers/json-documents.ts'
import type { Call } from '../command.ts'
import { runOpen } from './run-open.ts'

const LINK = { link: 'http://127.0.0.1:1/#code=a', code: 'a', expires_at: '2026-01-01T10:00:00.000Z' }

/** A call where the browser is this program. */
function opening(browser: string) {
  const messages: string[] = []
  const daemon = { facts: { url: 'http://127.0.0.1:1', port: 1 }, post: async () => LINK }
  const env = { PATH: process.env['PATH'], BROWSER: browser }
  const terminal = { env, printMessage: (text: string) => messages.push(text) }
  const services = { daemon: async () => daemon }
  const call = { terminal, services, json: false, flag: () => false }
  return { call: call as unknown as Call, messages }
}

test('a page that a browser opened is named without its link', async () => {
  const { call, messages } = opening('true')
  const { document } = await runOpen(call)
  expect(messages).toEqual([])
  expect(documentProblems({ schema: 'bosun.open/v1', ...document }, ['open'])).toEqual([])
})

test('where no browser starts the link is printed', async () => {
  const { call, messages } = opening('false')
  const { document } = await runOpen(call)
  expect(messages).toEqual([expect.stringContaining('works once')])
  expect(document).toMatchObject({ link: LINK.link, opened: false })
})

test('a link cannot be asked for in the call that ends every page session', async () => {
  const call = { flag: (name: string) => name === 'print' || name === 'revoke' } as unknown as Call
  await expect(runOpen(call)).rejects.toMatchObject({
    code: 'usage',
    message: expect.stringContaining('exclude'),
  })
})
