import { expect, test } from 'vitest'
import { browserCommand } from './browser-command.ts'

const LINK = 'http://127.0.0.1:20000/#code=1'

const command = (
  platform: NodeJS.Platform,
  env: Record<string, string>,
  missing: readonly string[] = [],
): readonly string[] | null =>
  browserCommand(LINK, { platform, env, isOnPath: (program) => !missing.includes(program) })

test.each([
  ['linux', { DISPLAY: ':0' }, ['xdg-open', LINK]],
  ['linux', { WAYLAND_DISPLAY: 'wayland-0' }, ['xdg-open', LINK]],
  ['linux', { DISPLAY: ':10', SSH_CONNECTION: 'x' }, ['xdg-open', LINK]],
  ['linux', { WSL_DISTRO_NAME: 'Debian' }, ['wslview', LINK]],
  ['linux', { BROWSER: '/opt/helper.sh' }, ['/opt/helper.sh', LINK]],
  ['linux', { DISPLAY: ':0', BROWSER: 'firefox:lynx' }, ['xdg-open', LINK]],
  ['linux', { DISPLAY: ':0', BROWSER: 'sh -c %s' }, ['xdg-open', LINK]],
  ['darwin', {}, ['open', LINK]],
  ['win32', {}, ['rundll32.exe', 'url.dll,FileProtocolHandler', LINK]],
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
  expect(command('linux', { DISPLAY: ':0', BROWSER: 'gone' }, ['gone'])).toEqual(['xdg-open', LINK])
})
