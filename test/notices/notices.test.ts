/** Notices with a real receiver, a real command and a real log of a host. */
import { createHmac } from 'node:crypto'
import { chmodSync, existsSync, mkdirSync, readFileSync, rmSync, watch, writeFileSync } from 'node:fs'
import { createServer, type IncomingHttpHeaders, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { emptyBook, readNoticeBook, type Delivery } from '../../src/app/notices/notice-file.ts'
import { NoticeWatch } from '../../src/app/notices/notice-watch.ts'
import { Notices, type NoticePlace } from '../../src/app/notices/notices.ts'
import { showOnDesktop } from '../../src/app/notices/send-notice.ts'
import { interviewNoticeIn, type Notice } from '../../src/core/delivery/notices/notice.ts'
import type { PageNotice } from '../../src/protocol/rows.ts'
import { desktopProgram } from '../../src/lib/process/find-program.ts'
import { settingsSchema } from '../../src/core/settings/settings.ts'
import { low } from '../helpers/plan-builder.ts'
import { TestHost } from '../helpers/test-host.ts'
import { tempFolder } from '../helpers/temp-folder.ts'

const SECRET = `whsec_${Buffer.alloc(32, 7).toString('base64')}`

interface Received {
  readonly headers: IncomingHttpHeaders
  readonly body: string
}

/** Answers with the statuses in turn, then with 204. */
class Receiver {
  readonly received: Received[] = []
  readonly statuses: number[] = []
  readonly #server: Server
  #waiting: (() => void)[] = []

  constructor() {
    this.#server = createServer((request, response) => {
      const chunks: Buffer[] = []
      request.on('data', (chunk: Buffer) => chunks.push(chunk))
      request.on('end', () => {
        this.received.push({ headers: request.headers, body: Buffer.concat(chunks).toString() })
        response.writeHead(this.statuses.shift() ?? 204).end()
        for (const call of this.#waiting.splice(0)) call()
      })
    })
  }

  async open(): Promise<string> {
    await new Promise<void>((resolve) => this.#server.listen(0, '127.0.0.1', resolve))
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}/hook`
  }

  async atLeast(count: number): Promise<void> {
    while (this.received.length < count)
      await new Promise<void>((resolve) => {
        this.#waiting.push(resolve)
      })
  }

  close(): void {
    this.#server.close()
    this.#server.closeAllConnections()
  }
}

/** As a receiver checks it. */
function isSigned({ headers, body }: Received): boolean {
  const content = `${String(headers['webhook-id'])}.${String(headers['webhook-timestamp'])}.${body}`
  const key = Buffer.from(SECRET.slice('whsec_'.length), 'base64')
  const expected = `v1,${createHmac('sha256', key).update(content).digest('base64')}`
  return headers['webhook-signature'] === expected
}

let folder: string
let receiver: Receiver
let url: string
const ends: (() => Promise<void> | void)[] = []
beforeEach(async () => {
  folder = tempFolder('notices')
  receiver = new Receiver()
  url = await receiver.open()
})
afterEach(async () => {
  for (const end of ends.splice(0).reverse()) await end()
  receiver.close()
})

const notify = (fields: object) =>
  settingsSchema.parse({ notify: { desktop: false, webhook: { url, secret: SECRET }, ...fields } }).notify

/** Time that a test moves. */
class HandClock {
  time = 1_700_000_000_000
  #wakes: { at: number; call: () => void }[] = []
  now = (): number => this.time
  wake = (delayMs: number, call: () => void): (() => void) => {
    const wake = { at: this.time + delayMs, call }
    this.#wakes.push(wake)
    return () => {
      this.#wakes = this.#wakes.filter((one) => one !== wake)
    }
  }
  pass(ms: number): void {
    this.time += ms
    const due = this.#wakes.filter(({ at }) => at <= this.time)
    this.#wakes = this.#wakes.filter(({ at }) => at > this.time)
    for (const { call } of due) call()
  }
}

const asked = (item: string, at: number): Notice => ({
  id: `r/shop#${item}`,
  kind: 'needs_you',
  stream: 'r/shop',
  task: null,
  item,
  blocking: true,
  text: `${item} asks`,
  at,
})

function openNotices(clock: HandClock, settings = notify({})) {
  const errors: string[] = []
  const onPages: PageNotice[] = []
  const atTerminal: string[] = []
  const place: NoticePlace = {
    root: folder,
    clock,
    env: { PATH: process.env['PATH'] },
    placeOf: async () => ({ path: folder, settings }),
    itemOf: ({ item }) => ({ id: item, link: `http://127.0.0.1:1/?item=${item ?? ''}` }),
    linkTo: (plan) => `http://127.0.0.1:1/p/${plan}`,
    showLive: (notice, { atTerminals }) => {
      onPages.push(notice)
      if (atTerminals) atTerminal.push(notice.text)
    },
    onError: (_what, error) => errors.push(String(error)),
  }
  const notices = new Notices(place, readNoticeBook(folder) ?? emptyBook(0))
  ends.push(() => notices.close())
  return { notices, errors, onPages, atTerminal }
}

/** Resolves when the file of a state root is as described. */
async function until(isSo: (deliveries: readonly Delivery[]) => boolean): Promise<void> {
  const check = (): boolean => isSo(readNoticeBook(folder)?.deliveries ?? [])
  const changes = Promise.withResolvers<void>()
  const watcher = watch(folder, () => check() && changes.resolve())
  if (!check()) await changes.promise
  watcher.close()
}

const isDelivered = (deliveries: readonly Delivery[]): boolean => deliveries.length === 0
const hasFailed =
  (times: number) =>
  ([delivery]: readonly Delivery[]): boolean =>
    delivery?.failures === times

test('a notice of a kind that is not asked for is not written, and a stop remembers where to read on', async () => {
  const clock = new HandClock()
  const { notices, onPages } = openNotices(clock)
  const progress: Notice = { ...asked('E-1', clock.now()), kind: 'progress', item: null, text: '3 of 9' }
  await notices.take([progress], 5)
  expect(readNoticeBook(folder)).toBeNull()
  expect(onPages).toEqual([])
  await notices.close()
  expect(readNoticeBook(folder)).toEqual(emptyBook(5))
})

test('an escalation reaches the webhook signed and the command as JSON, and a restart repeats neither', async () => {
  const testing = new TestHost({ gates: { outcome: (gate) => (gate === 'unit' ? 'failed' : 'passed') } })
  const got = join(folder, 'got.json')
  const stolen = join(folder, 'stolen')
  const settings = notify({ command: ['sh', '-c', `cat > ${got}.draft && mv ${got}.draft ${got}`] })
  const parts = {
    env: { PATH: process.env['PATH'] },
    url: 'http://127.0.0.1:20000',
    // The work tree says otherwise since the plan was started.
    settingsIn: async () => notify({ command: ['sh', '-c', `touch ${stolen}`], webhook: null }),
  }
  testing.openNotices = (host) => NoticeWatch.open(host, parts)
  ends.push(() => testing.dispose())
  await testing.open()
  await testing.register([low('a')], { settings: { notify: settings } })
  await receiver.atLeast(1)
  const [first] = receiver.received
  if (first === undefined) throw new Error('nothing was received')
  expect(isSigned(first)).toBe(true)
  expect(isSigned({ ...first, body: `${first.body} ` })).toBe(false)
  const document = JSON.parse(first.body) as Record<string, unknown>
  expect(document).toMatchObject({
    type: 'bosun.needs_you',
    data: {
      title: 'Bosun: something needs you',
      notices: [
        {
          plan: 'shop',
          item: 'E-1',
          blocking: true,
          // An id alone is ambiguous once another plan asks.
          link: expect.stringContaining('http://127.0.0.1:20000/?item=E-1&plan=shop&repo=%2F'),
        },
      ],
    },
  })
  while (!existsSync(got)) await new Promise((resolve) => setImmediate(resolve))
  expect(JSON.parse(readFileSync(got, 'utf8'))).toEqual(document)
  rmSync(got)
  await testing.reopen()
  // What the next start sends would come before this.
  const { plan: other } = await testing.register([low('b')], { id: 'blog', settings: { notify: settings } })
  await testing.until(other, ({ state }) => state.inbox.size > 0)
  await testing.host.close()
  expect(receiver.received.filter(({ body }) => body.includes('"plan":"shop"'))).toHaveLength(1)
  expect(existsSync(stolen)).toBe(false)
})

test('a webhook that fails is tried again later, after a restart too, under the same id and with a new time', async () => {
  const clock = new HandClock()
  receiver.statuses.push(500, 503)
  const first = openNotices(clock)
  await first.notices.take([asked('E-1', clock.now())], 7)
  clock.pass(1000)
  await until(hasFailed(1))
  await first.notices.close()
  const second = openNotices(clock)
  await second.notices.turn()
  clock.pass(5000)
  await until(hasFailed(2))
  await second.notices.turn()
  clock.pass(30_000)
  await receiver.atLeast(3)
  await until(isDelivered)
  const ids = receiver.received.map(({ headers }) => headers['webhook-id'])
  expect(new Set(ids).size).toBe(1)
  expect(receiver.received.every(isSigned)).toBe(true)
  const times = receiver.received.map(({ headers }) => Number(headers['webhook-timestamp']))
  expect(times.map((time) => time - (times[0] ?? 0))).toEqual([0, 5, 35])
  expect([...first.errors, ...second.errors].join('\n')).toContain('it answered 503; retrying in 30 s')
})

test('a redirect is not followed, and a receiver that is gone gets no more', async () => {
  const clock = new HandClock()
  receiver.statuses.push(302, 410)
  const { notices, errors } = openNotices(clock)
  await notices.take([asked('E-1', clock.now())], 1)
  clock.pass(1000)
  await until(hasFailed(1))
  await notices.turn()
  clock.pass(5000)
  await receiver.atLeast(2)
  await until(isDelivered)
  expect(errors).toEqual(['Error: notify.webhook: it answered 302; retrying in 5 s'])
})

test('what follows within a minute is one request', async () => {
  const clock = new HandClock()
  const { notices } = openNotices(clock)
  await notices.take([asked('E-1', clock.now())], 1)
  clock.pass(1000)
  await receiver.atLeast(1)
  clock.pass(10_000)
  await notices.take([asked('E-2', clock.now())], 2)
  await notices.take([asked('E-3', clock.now())], 3)
  clock.pass(50_000)
  await receiver.atLeast(2)
  await until(isDelivered)
  const titles = receiver.received.map(
    ({ body }) => (JSON.parse(body) as { data: { title: string } }).data.title,
  )
  expect(titles).toEqual(['Bosun: something needs you', 'Bosun: 2 things need you'])
})

test('open pages are shown notices by the same rules: at once, then a minute together, each with its link', async () => {
  const clock = new HandClock()
  const { notices, onPages } = openNotices(clock, notify({ webhook: null }))
  await notices.take([asked('E-1', clock.now())], 1)
  expect(onPages).toEqual([])
  clock.pass(1000)
  await notices.turn()
  clock.pass(10_000)
  await notices.take([asked('E-2', clock.now())], 2)
  await notices.take([asked('E-3', clock.now())], 3)
  expect(onPages).toMatchObject([
    { title: 'Bosun: something needs you', text: 'shop E-1: E-1 asks', link: 'http://127.0.0.1:1/?item=E-1' },
  ])
  clock.pass(50_000)
  await notices.turn()
  expect(onPages.slice(1)).toMatchObject([
    { title: 'Bosun: 2 things need you', text: 'shop E-2: E-2 asks\nshop E-3: E-3 asks', link: null },
  ])
})

test('in quiet hours open pages and attached terminals are shown nothing, and never what `notify.on` leaves out', async () => {
  const clock = new HandClock()
  const quiet = openNotices(clock, notify({ webhook: null, quiet: '00:00-23:59' }))
  await quiet.notices.take([asked('E-1', clock.now())], 1)
  clock.pass(1000)
  await quiet.notices.turn()
  expect([quiet.onPages, quiet.atTerminal]).toEqual([[], []])
  await quiet.notices.close()
  const deaf = openNotices(clock, notify({ webhook: null, on: ['finished'] }))
  await deaf.notices.turn()
  expect(deaf.onPages).toEqual([])
})

test('attached terminals are shown what the desktop is, and not where `notify.desktop` is off', async () => {
  const clock = new HandClock()
  const { notices, atTerminal } = openNotices(clock, notify({ webhook: null, desktop: true }))
  await notices.take([asked('E-1', clock.now())], 1)
  clock.pass(1000)
  await notices.turn()
  await notices.close()
  expect(atTerminal).toEqual(['shop E-1: E-1 asks'])
  const off = openNotices(clock, notify({ webhook: null }))
  await off.notices.take([asked('E-2', clock.now())], 2)
  clock.pass(60_000)
  await off.notices.turn()
  expect([off.onPages.length, off.atTerminal]).toEqual([1, []])
})

test('an interview that waits is shown by open pages alone, and delays nothing that others are sent', async () => {
  const clock = new HandClock()
  const { notices, onPages, atTerminal } = openNotices(clock)
  const interview = interviewNoticeIn({
    stream: 'interview:r:1',
    version: 4,
    at: clock.now(),
    event: { type: 'interview.user_awaited' },
  })
  if (interview === null) throw new Error('an interview that waits is no notice')
  await notices.take([interview], 1)
  clock.pass(1000)
  await notices.turn()
  expect(onPages).toMatchObject([{ text: 'interview: the interview waits for your answer' }])
  expect(atTerminal).toEqual([])
  await notices.take([asked('E-1', clock.now())], 2)
  clock.pass(1000)
  await receiver.atLeast(1)
  await until(isDelivered)
  expect(receiver.received).toHaveLength(1)
  expect(receiver.received[0]?.body).toContain('E-1 asks')
})

test('a desktop gets the text as arguments, with nothing in it taken for an option or a markup', async () => {
  const bin = join(folder, 'bin')
  mkdirSync(bin)
  writeFileSync(
    join(bin, 'notify-send'),
    `#!/bin/sh\nfor each; do echo "<$each>" >> "${folder}/draft"; done\nmv "${folder}/draft" "${folder}/shown"\n`,
  )
  chmodSync(join(bin, 'notify-send'), 0o755)
  const env = { PATH: `${bin}:${process.env['PATH'] ?? ''}`, DISPLAY: ':0' }
  const program = desktopProgram(env, 'linux')
  if (program === null) throw new Error('notify-send was not found')
  expect(await showOnDesktop(program, { title: '--help', text: '<b>1 & 2</b>' }, env)).toBeNull()
  expect(readFileSync(join(folder, 'shown'), 'utf8').split('\n')).toEqual([
    '<--app-name=Bosun>',
    '<-->',
    '<--help>',
    '<&lt;b>1 &amp; 2&lt;/b>>',
    '',
  ])
  expect(desktopProgram({ ...env, DISPLAY: '' }, 'linux')).toBeNull()
})

test('a command that fails is reported, and not tried again', async () => {
  const clock = new HandClock()
  const { notices, errors } = openNotices(
    clock,
    notify({ webhook: null, command: 'echo no bell >&2; exit 3' }),
  )
  await notices.take([asked('E-1', clock.now())], 1)
  clock.pass(1000)
  await notices.turn()
  await until(isDelivered)
  expect(errors).toEqual(['Error: notify.command failed with exit code 3: no bell'])
})
