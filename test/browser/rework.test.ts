/** A task that is reworked: its gates are of the attempt that they ran on, beside the worker of the next one. */
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { smallProject } from '../delivery/small-project.ts'
import { expectAccessible, signedIn } from './browser.ts'

const lab = smallProject({
  agent: `if [ "$BOSUN_ATTEMPT" = 1 ]; then work; echo 'test -e src/nowhere' > test/m1.t; report; exit; fi
while [ ! -e "$repo/../go" ]; do sleep 0.1; done; work; report`,
})
afterAll(() => lab.dispose())

test('gates that failed are named with their attempt while the next attempt is at work, and with that once they ran again', async () => {
  lab.spawn('run', 'plan.yaml', '--no-input', '--json')
  const { page, context, complaints } = await signedIn(lab, '/p/small/t/1')
  const gates = page.locator('section').filter({ has: page.getByRole('heading', { name: /^Gates/ }) })
  await page.getByTestId('verdict').getByText('A worker is on attempt 2.').waitFor()
  await gates.getByText('observed on attempt 1, not yet on 2').waitFor()
  await expectAccessible(page, 'observed on attempt 1, not yet on 2')
  writeFileSync(join(lab.folder, 'go'), '')
  await page
    .getByTestId('verdict')
    .getByText(/^Committed as /)
    .waitFor()
  await gates.getByText('observed on attempt 2', { exact: true }).waitFor()
  expect(complaints.all).toEqual([])
  await context.close()
})
