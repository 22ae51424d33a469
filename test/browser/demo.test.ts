/** The demo as a newcomer watches it: at a terminal, with its page open in a real browser. */
import { spawn } from 'node:child_process'
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { BIN, CLEAN_ENV } from '../cli/bosun.ts'
import { aBrowser, Complaints } from './browser.ts'
import { tempFolder } from '../helpers/temp-folder.ts'

const ANSWER = 'An empty log prints one line: no ships today'

test('the question of the demo is answered by clicking, before the script does', async () => {
  const context = await aBrowser()
  const home = tempFolder()
  const temporary = join(home, 'tmp')
  mkdirSync(temporary)
  const child = spawn('script', ['-q', '-e', '-f', '-c', `exec '${BIN}' demo`, '/dev/null'], {
    cwd: '/',
    env: { ...CLEAN_ENV, HOME: home, TMPDIR: temporary, TERM: 'xterm', SHELL: '/bin/sh', DISPLAY: '' },
    stdio: 'pipe',
  })
  const ended = new Promise((resolve) => child.once('close', resolve))
  const printed = Promise.withResolvers<string>()
  let output = ''
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    output += text
    const [link] = output.match(/http:\S+#code=[0-9a-f]{64}/) ?? []
    if (link !== undefined) printed.resolve(link)
  })
  onTestFinished(() => void child.kill('SIGKILL'))
  const link = await Promise.race([printed.promise, ended.then(() => '')])
  expect(link, output).not.toBe('')

  const page = await context.newPage()
  const complaints = new Complaints(page)
  await page.goto(link)
  const asked = page.locator('[data-need]').filter({ hasText: 'Offer it on the command line' })
  // As long as the demo takes to come to it.
  await asked.waitFor({ timeout: 0 })
  if ((await asked.getByRole('article').count()) === 0) await asked.getByRole('button').click()
  await asked.getByRole('button', { name: /^Send back/ }).click()
  await asked.getByLabel('What should change').fill(ANSWER)
  await asked.getByRole('button', { name: 'Send back', exact: false }).last().click()
  await page.getByText('Sent back: task 7').waitFor()
  await page.goto(new URL('/activity', page.url()).href)
  await page.getByText(ANSWER).first().waitFor()
  expect(await page.getByText("the demo's script").count()).toBe(0)
  expect(complaints.all).toEqual([])
  await context.close()
  child.stdin.write('\x03')
  await ended
  expect(output).not.toContain('answered for you')
})
