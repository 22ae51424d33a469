/** A person at a real terminal reviews the work and decides. */
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, expect, test } from 'vitest'
import type { Lab } from './lab.ts'
import { smallProject } from './small-project.ts'

let lab: Lab | null = null
afterEach(async () => {
  await lab?.dispose()
  lab = null
})

/** Appends the feedback to its file. */
const AGENT = `note=$(cat); work; echo "$note" | grep -o 'make it [a-z]*' | head -1 >> "src/m$id/value"; report`

test.skipIf(!existsSync('/usr/bin/script'))(
  'an inbox session shows diff and evidence in colour, takes feedback from an editor, and applies the decision',
  async () => {
    lab = smallProject({ agent: AGENT, settings: 'approval: each_task\n' })
    lab.write({ 'tools/editor.sh': 'printf "make it neat\\n# help\\n" > "$1"\n' })
    expect((await lab.deliver()).exit).toBe(10)

    const env = { EDITOR: `sh ${join(lab.repo, 'tools/editor.sh')}` }
    const first = lab.sit(['inbox'], env)
    await first.until('1 item needs you')
    await first.until('Claimed by the worker (not evidence)')
    await first.until('\u001b[33mUNTESTED\u001b[39m')
    await first.until('mapped by the worker, unverified')
    await first.type('continue, q: stop', 'q')
    await first.type('A-1> ', 'd')
    await first.until('\u001b[36m@@ -0,0 +1 @@')
    await first.until('\u001b[32m+1')
    // Enter alone decides nothing.
    await first.type('A-1> ', '')
    await first.until('(recommended)')
    await first.type('A-1> ', 'revise')
    await first.type('Feedback', 'e')
    await first.until('answered A-1: revise')
    expect(await first.end()).toBe(0)

    expect((await lab.deliver()).exit).toBe(10)
    const second = lab.sit(['inbox', 'A-2'])
    await second.type('continue, q: stop', 'q')
    await second.type('A-2> ', '1')
    await second.type('Feedback', '')
    await second.until('answered A-2: approve')
    expect(await second.end()).toBe(0)

    const { exit, last, stderr } = await lab.deliver()
    expect([exit, last.outcome], stderr).toEqual([0, 'released'])
    lab.git('checkout', '-q', 'feat/small/working')
    expect(readFileSync(join(lab.repo, 'src/m1/value'), 'utf8')).toBe('1\nmake it neat\n')
  },
)
