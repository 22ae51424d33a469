/**
 * How long it takes from the address of a task until its diff of more than 30,000 lines is on the screen, in real Chromium
 * against a real daemon: 150 files, the first of 7,200 lines. Each look is of a browser that has nothing of the page yet.
 */
import { Lab } from '../test/delivery/lab.ts'
import { aContext, launchChromium, linkTo, watchLongTasks } from './lib/chromium.ts'
import { median, report, round } from './lib/measure.ts'

const FILES = 150
const LOOKS = 5
const MARK_MS = 2000
const LINES = { least: 30_000 } as const

const lab = new Lab({ 'README.md': '# Diff\n' })
const paths = Array.from({ length: FILES }, (_, at) => `src/part-${at}.ts`)
lab.write({
  'plan.yaml': [
    'plan: diff',
    'title: A large diff',
    'environment: { setup: null, test: null, lint: null, typecheck: null, build: null }',
    'tasks:',
    `  - { id: "1", title: Write a lot, tier: low, ownership: src, acceptance_criteria: ["it is there"], files: { create: [${paths.join(', ')}] } }`,
    '',
  ].join('\n'),
  'tools/agent.mjs': `import { mkdirSync, writeFileSync } from 'node:fs'
mkdirSync('src', { recursive: true })
for (let file = 0; file < ${FILES}; file++) {
  const lines = Array.from({ length: file === 0 ? 7200 : 180 }, (_, at) => \`export const value\${at} = compute(\${at}, { text: 'line \${at} of \${file}' })\`)
  writeFileSync(\`src/part-\${file}.ts\`, lines.join('\\n') + '\\n')
}
writeFileSync(process.env.BOSUN_REPORT, JSON.stringify({ explanation: 'wrote it', self_assessment: 'confident',
  criteria: [{ criterion: 1, file: 'src/part-0.ts', line: 1 }], review_note: { summary: 'a lot', risks: [], rollback: 'revert' } }))
`,
  'bosun.yaml': [
    'agents: { crew: { protocol: command, command: [node, tools/agent.mjs] } }',
    'approval: each_task',
    'review: { low: checks }',
    'pm: { patch_size_limit_files: 1000 }',
    '',
  ].join('\n'),
})

const browser = await launchChromium()
try {
  const { exit, stderr, last } = await lab.deliver()
  if (last.inbox?.length !== 1)
    throw new Error(`the plan did not wait for an approval (exit ${exit}): ${stderr}`)
  const looks: { readonly shownMs: number; readonly longestMs: number; readonly lines: number }[] = []
  for (let look = 0; look < LOOKS; look++) looks.push(await aLook())
  const figures = {
    shown_ms: round(median(looks.map(({ shownMs }) => shownMs)), 0),
    long_task_ms: round(median(looks.map(({ longestMs }) => longestMs)), 0),
    lines: looks[0]?.lines ?? 0,
  }
  const ok = figures.lines >= LINES.least && figures.shown_ms <= MARK_MS
  report('diff', looks, { mark_ms: MARK_MS, ...figures, ok })
  if (!ok) process.exitCode = 1
} finally {
  await browser.close()
  await lab.dispose()
}

/** Signed in on another page first, so that it is the task's page alone that is measured. */
async function aLook() {
  const context = await aContext(browser)
  const page = await context.newPage()
  await page.goto(await linkTo(lab, '/workers'))
  await page.getByRole('heading', { name: 'Workers' }).waitFor()
  const longest = await watchLongTasks(page)
  const answered = page.waitForResponse((response) => response.url().includes('/api/tasks/1/diff'))
  const shownMs = await page.evaluate<number>(`new Promise((resolve) => {
    const begun = performance.now()
    history.pushState({}, '', '/p/diff/t/1')
    dispatchEvent(new PopStateEvent('popstate'))
    const look = () => {
      const texts = [...document.querySelectorAll('diffs-container')].map((one) => one.shadowRoot?.textContent ?? '')
      if (texts.some((text) => text.includes('value3 = compute'))) resolve(performance.now() - begun)
      else requestAnimationFrame(look)
    }
    look()
  })`)
  const { patch } = (await (await answered).json()) as { readonly patch: string }
  const look = {
    shownMs: round(shownMs, 0),
    longestMs: round(await longest(), 0),
    lines: patch.split('\n').length,
  }
  await context.close()
  return look
}
