/** An attached terminal rings by the rules of `notify:` in bosun.yaml, with the real program at a terminal of its own. */
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { smallProject } from '../delivery/small-project.ts'

const BELL = '\u0007'
/** The local time in so many minutes. */
const clock = (minutes: number): string =>
  new Date(Date.now() + minutes * 60_000).toTimeString().slice(0, 'hh:mm'.length)
const atTerminal = test.skipIf(!existsSync('/usr/bin/script'))

atTerminal(
  'an attached terminal is silent in quiet hours, and rings once for all that waits after them',
  async () => {
    const lab = smallProject({
      tasks: 2,
      sideBySide: true,
      agent: 'while [ "$id" = 2 ] && [ ! -e "$repo/../go" ]; do sleep 0.1; done; work; report',
      settings: `approval: each_task\nscheduling: { parallel_tiers: [low] }\nnotify: { quiet: "${clock(-60)}-${clock(60)}" }\n`,
    })
    onTestFinished(() => lab.dispose())
    const sitting = lab.sit(['run', 'plan.yaml'])
    await sitting.until('A-1')
    const kept = (): string => {
      const file = join(lab.home, 'notices.json')
      return existsSync(file) ? readFileSync(file, 'utf8') : ''
    }
    await expect.poll(kept).toContain('"item":"A-1"')

    const settings = readFileSync(join(lab.repo, 'bosun.yaml'), 'utf8')
    lab.write({ 'bosun.yaml': settings.replace(/^notify:.*\n/m, '') })
    writeFileSync(join(lab.folder, 'go'), '')
    await sitting.until('A-2')
    await sitting.until(BELL)
    // The first item had its second to be sent, and the second one followed it at once.
    expect(sitting.shown.split(BELL)).toHaveLength(2)
    expect(kept()).toMatch(/"item":"A-1".*"sentAt":\d+.*"item":"A-2".*"sentAt":\d+/)
  },
)
