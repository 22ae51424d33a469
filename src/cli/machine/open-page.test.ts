import { expect, test } from 'vitest'
import { documentProblems } from '../../../test/helpers/json-documents.ts'
import type { Call } from '../command.ts'
import { browserCommand, runOpen } from './open-page.ts'

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

const PAGE_LINK = 'http://127.0.0.1:20000/#code=1'

const command = (
  platform: NodeJS.Platform,
  env: Record<string, string>,
  missing: readonly string[] = [],
): readonly string[] | null =>
  browserCommand(PAGE_LINK, { platform, env, isOnPath: (program) => !missing.includes(program) })

test.each([
  ['linux', { DISPLAY: ':0' }, ['xdg-open', PAGE_LINK]],
  ['linux', { WAYLAND_DISPLAY: 'wayland-0' }, ['xdg-open', PAGE_LINK]],
  ['linux', { DISPLAY: ':10', SSH_CONNECTION: 'x' }, ['xdg-open', PAGE_LINK]],
  ['linux', { WSL_DISTRO_NAME: 'Debian' }, ['wslview', PAGE_LINK]],
  ['linux', { BROWSER: '/opt/helper.sh' }, ['/opt/helper.sh', PAGE_LINK]],
  ['linux', { DISPLAY: ':0', BROWSER: 'firefox:lynx' }, ['xdg-open', PAGE_LINK]],
  ['linux', { DISPLAY: ':0', BROWSER: 'sh -c %s' }, ['xdg-open', PAGE_LINK]],
  ['darwin', {}, ['open', PAGE_LINK]],
  ['win32', {}, ['rundll32.exe', 'url.dll,FileProtocolHandler', PAGE_LINK]],
] as const)('on %s with %j a link is opened by %j', (platform, env, expected) => {
  expect(command(platform, env)).toEqual(expected)
})

test.each([
  ['linux', {}],
  ['linux', { DISPLAY: '' }],
  ['linux', { SSH_CONNECTION: 'x' }],
  ['darwin', { SSH_CONNECTION: 'x' }],
] as const)('on %s with %j no browser would be seen', (platform, env) => {
  expect(command(platform, env)).toBe(null)
})

test('a program that is not there is not started', () => {
  expect(command('linux', { DISPLAY: ':0' }, ['xdg-open'])).toBe(null)
  expect(command('linux', { DISPLAY: ':0', BROWSER: 'gone' }, ['gone'])).toEqual(['xdg-open', PAGE_LINK])
})
