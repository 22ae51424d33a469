import { describe, expect, test } from 'vitest'
import { aChange } from '../../../../test/helpers/a-change.ts'
import { formsOf, hexOf, reversed } from '../../../lib/text/secret-forms.ts'
import { fromBase64, fromHex, secretsGate, type SecretsFacts } from './secrets-gate.ts'
import { secretsIn, variablesIn, worthHolding } from './secret-values.ts'
import { processorMs } from '../../../../test/helpers/processor-time.ts'

/** Put together here, so that no line of this file looks like a key itself. */
const mixed = (length: number): string => 'a7Kq9Zx2Lm4Pw8Rt6Yv3Bn5Hc1Jd0Gf'.repeat(4).slice(0, length)
const [AWS, PRIVATE] = ['AKIA', 'PRIVATE']
const GITHUB = `ghp_${mixed(36)}`
const VALUE = 'T9xq-Wm4z_Lp8k.Vr2n'

function judge(text: string, facts: Partial<SecretsFacts> = {}) {
  return secretsGate({
    change: aChange({ 'src/a.ts': [null, text] }),
    held: [{ kind: 'the token of w-shop-1-1', value: VALUE }],
    binaries: [],
    notes: [],
    hashOf: () => 'sha256 12345678',
    ...facts,
  })
}
const findingsIn = (text: string): string[] =>
  judge(text).evidence.findings.map(({ weight, text: finding, line }) => `${weight} ${line ?? ''} ${finding}`)

describe('keys of known kinds are found', () => {
  test.each([
    ['AWS access key id', `${AWS}Q3EGRZ2N5WHTX7LB`],
    ['AWS secret access key', `aws_secret_access_key = ${mixed(31)}/x+Y4mKp7`],
    ['GitHub token', GITHUB],
    ['GitHub token', `github_pat_${mixed(60)}`],
    ['GitLab token', `glpat-${mixed(20)}`],
    ['Slack token', `xoxb-${mixed(24)}`],
    ['Slack webhook', `https://hooks.slack.com/services/T0A1B2C3D/B9Z8Y7X6W/${mixed(24)}`],
    ['Stripe key', `sk_live_${mixed(24)}`],
    ['Google key', `AIza${mixed(35)}`],
    ['OpenAI key', `sk-proj-${mixed(48)}`],
    ['Anthropic key', `sk-ant-api03-${mixed(48)}`],
    ['npm token', `npm_${mixed(36)}`],
    ['JSON web token', `eyJ${mixed(20)}.eyJ${mixed(30)}.${mixed(40)}`],
    ['password in an address', `postgres://shop:${mixed(12)}@db.shop.io/shop`],
    ['private key', `-----BEGIN RSA ${PRIVATE} KEY-----\n${mixed(64)}\n`],
    ['private key', `'-----BEGIN ${PRIVATE} KEY-----\\n${mixed(64)}\\n'`],
  ])('%s', (kind, text) => {
    const verdict = judge(`const a = 1\nconst b = "${text}"\n`)
    expect([verdict.outcome, verdict.summary]).toEqual(['failed', `${kind} (sha256 12345678) in src/a.ts:2`])
    expect(JSON.stringify(verdict)).not.toContain(mixed(12))
  })
})

describe('placeholders are not secrets', () => {
  test.each([
    `${AWS}IOSFODNN7EXAMPLE`,
    'postgres://user:password@localhost/db',
    'postgres://app:${DB_PASSWORD}@db/app',
    'https://<user>:<token>@example.com',
    `ghp_${'x'.repeat(36)}`,
    `const header = '-----BEGIN ${PRIVATE} KEY-----'`,
    'const secretName = "the-name-of-the-secret"',
    'const sha = "3f786850e387550fdab836ed7e6dc881de23001b"',
    '"integrity": "sha512-Nn5WQ0lrAoGs8pR1cxF5sF4QZJzkF6vYt0W6lZ1aJxvA2l7s6a1tXwYQ9Zk5V5yq0V8oB7wT3u=="',
  ])('%s', (text) => {
    expect(judge(text)).toMatchObject({ outcome: 'passed' })
  })

  test('lines that existed before are ignored', () => {
    const change = aChange({
      'src/a.ts': [`const a = "${GITHUB}"\n`, `const a = "${GITHUB}"\nconst b = 1\n`],
    })
    expect(judge('', { change }).outcome).toBe('passed')
  })
})

test('a possible secret is a note', () => {
  expect(findingsIn(`const apiKey = "${mixed(31)}"`)).toEqual(['note 1 possible secret (sha256 12345678)'])
  expect(judge(`const apiKey = "${mixed(31)}"`).outcome).toBe('passed')
})

describe('a value that Bosun holds is found in any writing', () => {
  const base64 = btoa(VALUE)
  test.each([
    ['as it is', `const a = "${VALUE}"`, ''],
    ['base64', `const a = "${base64}"`, ', in base64'],
    [
      'base64url',
      `const a = "${btoa(`~${VALUE}~~?`).replaceAll('+', '-').replaceAll('/', '_')}"`,
      ', in base64',
    ],
    ['base64 of more', `const a = "${btoa(`user:${VALUE}:x`)}"`, ', in base64'],
    ['base64 of more, elsewhere', `const a = "${btoa(`{"k":"${VALUE}"}`)}"`, ', in base64'],
    ['base64 twice', `const a = "${btoa(base64)}"`, ', in base64'],
    ['hex', `const a = "${hexOf(VALUE)}"`, ', in hex'],
    ['capital hex', `const a = "${hexOf(VALUE).toUpperCase()}"`, ', in hex'],
    ['backwards', `const a = "${reversed(VALUE)}"`, ', backwards'],
    ['base64 backwards', `const a = "${reversed(base64)}"`, ', in base64, backwards'],
    ['two literals', `const a = "${VALUE.slice(0, 8)}" + "${VALUE.slice(8)}"`, ', split up'],
    ['two lines', `const a =\n  '${VALUE.slice(0, 8)}' +\n  '${VALUE.slice(8)}'`, ', split up'],
    [
      'a list',
      `const a = [${
        VALUE.match(/.{1,4}/g)
          ?.map((part) => `'${part}'`)
          .join(', ') ?? ''
      }].join('')`,
      ', split up',
    ],
    [
      'escaped',
      `const a = "${VALUE.split('')
        .map((char) => `\\x${hexOf(char)}`)
        .join('')}"`,
      ', escaped',
    ],
    [
      'base64 in two literals',
      `const a = "${base64.slice(0, 9)}" + "${base64.slice(9)}"`,
      ', in base64, split up',
    ],
  ])('%s', (_title, text, how) => {
    const verdict = judge(`\n${text}\n`)
    expect(verdict.outcome).toBe('failed')
    expect(verdict.evidence.findings[0]?.text).toBe(`the token of w-shop-1-1${how} (sha256 12345678)`)
    expect(JSON.stringify(verdict)).not.toContain(VALUE)
  })

  test('percent encoding', () => {
    const held = [{ kind: 'PASSWORD in .env', value: 'p@ss/w0rd&=?zz' }]
    expect(judge('const a = "p%40ss%2fw0rd%26%3d%3fzz"', { held }).summary).toContain('in percent encoding')
    expect(judge('const a = "p%40ss%2Fw0rd%26%3D%3Fzz"', { held }).outcome).toBe('failed')
  })

  test('the finding has the line', () => {
    expect(findingsIn(`a\nb\nconst c = '${VALUE.slice(0, 9)}' +\n '${VALUE.slice(9)}'`)).toEqual([
      'blocks 3 the token of w-shop-1-1, split up (sha256 12345678)',
    ])
  })
})

describe('keys of known kinds are found in what can be undone', () => {
  test.each([
    ['base64', `"${btoa(`token ${GITHUB} end`)}"`, 'in base64'],
    ['hex', `"${hexOf(`token ${GITHUB}`)}"`, 'in hex'],
    ['base64 twice', `"${btoa(btoa(`token ${GITHUB}`))}"`, 'in base64, in base64'],
    ['two literals', `"${GITHUB.slice(0, 20)}" + "${GITHUB.slice(20)}"`, 'split up'],
    ['two lines', `"${GITHUB.slice(0, 20)}"\n  "${GITHUB.slice(20)}"`, 'split up'],
    ['backwards', `"${reversed(GITHUB)}"`, 'backwards'],
  ])('%s', (_title, text, how) => {
    expect(judge(`const a = ${text}`).summary).toBe(`GitHub token, ${how} (sha256 12345678) in src/a.ts:1`)
  })
})

describe('secrets hide elsewhere too', () => {
  test('in a binary file, also where every character takes two bytes', () => {
    const contents = (text: string) => ({
      binaries: [{ path: 'a.bin', contents: [`\u0000\u0001${text}\u0000`] }],
    })
    const wide = VALUE.split('').join('\0')
    expect(judge('', contents(VALUE))).toMatchObject({
      outcome: 'failed',
      evidence: { findings: [{ file: 'a.bin' }] },
    })
    expect(judge('', contents(wide)).outcome).toBe('failed')
    expect(judge('', contents('nothing')).outcome).toBe('passed')
  })

  test('in a file that is too large to scan is inconclusive', () => {
    expect(judge('', { binaries: [{ path: 'a.bin', contents: null }] }).outcome).toBe('inconclusive')
  })

  test("in a worker's note", () => {
    const notes = [{ where: 'the review note', text: `I used ${VALUE}` }]
    const verdict = judge('', { notes })
    expect([verdict.outcome, verdict.summary]).toEqual([
      'failed',
      'the token of w-shop-1-1 in the review note (sha256 12345678)',
    ])
  })

  test('in a file name is found, and the finding does not show the name', () => {
    const verdict = judge('', { change: aChange({ [`keys/${VALUE}.txt`]: [null, 'x'] }) })
    expect([verdict.outcome, JSON.stringify(verdict).includes(VALUE)]).toEqual(['failed', false])
  })
})

describe('held values are selected by name or randomness', () => {
  test.each<[string, string, boolean]>([
    ['API_TOKEN', 'abcdefgh12', true],
    ['DB_PASSWORD', 'hunter2hunter', true],
    ['DB_PASSWORD', 'x<y>${z}9', true],
    ['DB_PASSWORD', 'aaaaaaaaaaaa', false],
    ['DB_PASSWORD', 'short', false],
    ['DB_PASSWORD', 'changeme', false],
    ['SSH_AUTH_SOCK', '/run/user/1000/agent', false],
    ['NODE_ENV', 'development', false],
    ['PWD', '/home/ada/shop-project', false],
    ['SHOP_THING', mixed(30), true],
    ['PUBLIC_URL', 'https://shop.example.org/a/b', false],
  ])('%s=%s: %s', (name, value, isHeld) => {
    expect(secretsIn([[name, value]], '.env', 'by name or chance').length > 0).toBe(isHeld)
  })

  test('of the environment only what is called so', () => {
    expect(secretsIn([['SHOP_THING', mixed(30)]], 'the environment', 'by name')).toEqual([])
  })

  test('a password within an address is held by itself', () => {
    expect(secretsIn([['DATABASE_URL', 'postgres://a:Wq8zLp3x@h/d']], '.env', 'by name')).toEqual([
      { kind: 'password of DATABASE_URL in .env', value: 'Wq8zLp3x' },
    ])
  })

  test('env files are read as they are written', () => {
    const text = 'A=1\nexport B="two words" # no\n# C=3\nD=\'x#y\'\nE=five # five\n\nF = g\r\n'
    expect(variablesIn(text)).toEqual([
      ['A', '1'],
      ['B', 'two words'],
      ['D', 'x#y'],
      ['E', 'five'],
      ['F', 'g'],
    ])
  })

  test('each value once', () => {
    const held = [1, 2].map((n) => ({ kind: String(n), value: VALUE }))
    expect(worthHolding(held)).toEqual([{ kind: '1', value: VALUE }])
  })
})

test('encoded values can be decoded', () => {
  for (const text of ['', 'a', 'ab', 'abc', '\u00ff\u0000x', VALUE]) {
    expect(fromBase64(btoa(text))).toBe(text)
    expect(fromHex(hexOf(text))).toBe(text)
  }
  expect(formsOf(VALUE).every(({ text }) => text.length >= 12)).toBe(true)
})

test('a hundred thousand lines are scanned within ten seconds of processor time', () => {
  const text = Array.from(
    { length: 100_000 },
    (_, n) => `export const value${n} = compute(${n}, "some words ${n}")`,
  ).join('\n')
  const change = {
    base: 'b',
    files: [
      {
        path: 'a.ts',
        kind: 'added' as const,
        added: text.split('\n').map((line, n) => ({ line: n + 1, text: line })),
        removed: [],
        lines: null,
        isBinary: false,
      },
    ],
  }
  const scan = (): void => expect(judge('', { change }).outcome).toBe('passed')
  expect(processorMs(scan)).toBeLessThan(10_000)
})
