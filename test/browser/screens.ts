/** Every screen and what it shows in each of its states: one table for the browser tests and for the pictures in docs/screens. */
import type { Page } from 'playwright-core'

/** Where a state is, and what is read there once it has come. */
export interface View {
  readonly path: string
  readonly shown: string
  /** What a person does there before. */
  readonly act?: (page: Page) => Promise<void>
}

/** What a page without content offers: a link, which leads somewhere, or a button, which does something. */
export interface Action {
  readonly role: 'link' | 'button'
  readonly name: string
  readonly before?: (page: Page) => Promise<void>
  /** It has worked once this holds. */
  readonly works: (page: Page) => Promise<unknown>
}

export interface Screen {
  readonly name: string
  /** Without any plan; its action, where there is nothing at all to show. */
  readonly empty: View & { readonly action?: Action }
  /** With a plan of three tasks. */
  readonly few: View
  /** With a thousand of what it shows. */
  readonly many: View
  /** What it asks the daemon for: held back while it loads, then refused. */
  readonly request: RegExp
  /** What it says of the refusal. */
  readonly error: string
  /** What it says while that is held back, where it has no skeleton. */
  readonly loading?: string
  /** What is read there without the daemon, where it is not the same as before. */
  readonly offline?: string
  /** The page asks for it again on its own, so its button may be gone before it is pressed. */
  readonly isAskedAgain?: boolean
  /** The button that asks once more. */
  readonly again?: string
}

export interface Places {
  readonly repo: string
  /** The open interview. */
  readonly interview: string
}

const fillRequest = async (page: Page, text: string): Promise<void> => {
  await page.getByLabel('What should be done?').fill(text)
}

const leadsTo = (role: 'link' | 'button', name: string, path: string): Action => ({
  role,
  name,
  works: (page) => page.waitForURL((url) => url.pathname === path),
})

const START = leadsTo('link', 'Start something', '/start')

const planView = (view: string, { empty, few, many }: Record<'empty' | 'few' | 'many', string>) =>
  ({
    name: `plan-${view}`,
    empty: { path: `/p/none?view=${view}`, shown: empty, action: START },
    few: { path: `/p/values?view=${view}`, shown: few },
    many: { path: `/p/shop?view=${view}`, shown: many },
    request: view === 'timeline' ? /\/api\/plans\/values\/timeline/ : /\/api\/plans\/values\/graph/,
    error: view === 'timeline' ? 'Could not load the timeline' : 'Could not load the plan',
  }) satisfies Screen

/** A plan of a thousand tasks, as a file. */
const longPlan = (): string =>
  Array.from(
    { length: 1000 },
    (_, at) =>
      `### Task ${at + 1}: Add part ${at + 1} of the cart\n\n**Files:**\n- Create: \`src/cart/part-${at + 1}.ts\`\n`,
  ).join('\n')

const EXAMPLE = 'Fix the typo in the README'

const NO_PLAN = 'There is no plan “none”'

export const screens = ({ repo, interview }: Places): readonly Screen[] => [
  {
    name: 'needs-you',
    empty: {
      path: '/',
      shown: 'What should be built?',
      action: {
        ...leadsTo('button', 'Start', '/start'),
        before: (page) => page.getByRole('textbox', { name: 'What should be built?' }).fill('A shop'),
      },
    },
    few: { path: '/', shown: 'waits for your approval' },
    many: { path: '/', shown: 'items, the longest-blocking first' },
    request: /\/api\/snapshot/,
    isAskedAgain: true,
    error: 'Could not load what needs you',
  },
  {
    name: 'start',
    empty: {
      path: '/start',
      shown: 'For example',
      action: {
        role: 'button',
        name: EXAMPLE,
        works: async (page) => {
          await page.getByRole('button', { name: EXAMPLE }).waitFor({ state: 'detached' })
          const text = await page.getByLabel('What should be done?').inputValue()
          if (text !== EXAMPLE) throw new Error(`the box has “${text}”`)
        },
      },
    },
    many: {
      path: '/start',
      shown: 'Understood from a plan',
      act: async (page) => {
        const buffer = Buffer.from(`# The cart\n\n${longPlan()}`)
        await page
          .getByLabel('Files to add')
          .setInputFiles({ name: 'cart.md', mimeType: 'text/markdown', buffer })
        await page.getByRole('button', { name: 'Continue' }).click()
      },
    },
    few: {
      path: '/start',
      shown: 'Understood from a sentence',
      act: async (page) => {
        await fillRequest(page, 'Add a page that lists the values')
        await page.getByRole('button', { name: 'Continue' }).click()
      },
    },
    request: /\/api\/intake/,
    error: 'Could not understand it',
    loading: 'Reading it…',
    again: 'Continue',
  },
  {
    name: 'interview',
    empty: {
      path: '/interview/9.9',
      shown: 'This interview is not open any more',
      action: leadsTo('link', 'Go to Start', '/start'),
    },
    many: {
      path: `/interview/${interview}?repo=${encodeURIComponent(repo)}`,
      shown: 'of 400 messages',
    },
    few: {
      path: `/interview/${interview}?repo=${encodeURIComponent(repo)}`,
      shown: 'waits for your answer',
    },
    request: /\/api\/pm\/status/,
    error: 'Could not load the interview',
  },
  planView('board', { empty: NO_PLAN, few: 'Add the third value', many: 'of 1000 done' }),
  planView('list', { empty: NO_PLAN, few: 'Add the third value', many: 'of 1000 done' }),
  planView('graph', { empty: NO_PLAN, few: 'Active work', many: 'Active work' }),
  planView('timeline', { empty: NO_PLAN, few: 'Add the third value', many: 'Waits for a person' }),
  {
    name: 'task',
    empty: { path: '/p/none/t/1', shown: NO_PLAN, action: START },
    many: {
      path: '/p/shop/t/401',
      shown: 'of 60 findings',
      act: (page) => page.getByText('export const total0').first().waitFor(),
    },
    few: { path: '/p/values/t/1', shown: 'value 1 is there' },
    request: /\/api\/tasks\/1[?/]/,
    error: 'Could not load task 1',
  },
  {
    name: 'release',
    empty: { path: '/p/none/release', shown: NO_PLAN, action: START },
    many: { path: '/p/ledger/release', shown: 'claims' },
    few: { path: '/p/values/release', shown: 'not committed yet' },
    request: /\/api\/plans\/values\/release/,
    error: 'Could not load the release',
  },
  {
    name: 'workers',
    empty: { path: '/workers', shown: 'No worker is running.', action: START },
    many: { path: '/workers', shown: 'workers, those that need a look first' },
    few: { path: '/workers', shown: 'w-values-3-1' },
    request: /\/api\/snapshot/,
    isAskedAgain: true,
    error: 'Could not load the workers',
  },
  {
    name: 'worker',
    empty: {
      path: '/workers/w-none-1-1',
      shown: 'There is no worker “w-none-1-1”',
      action: leadsTo('link', 'All workers', '/workers'),
    },
    many: { path: '/workers/w-fleet-19-1', shown: 'Step 1250' },
    few: { path: '/workers/w-values-3-1', shown: 'looks at the tests' },
    request: /\/api\/workers\/w-values-3-1(\?|$)/,
    error: 'Could not load worker w-values-3-1',
    offline: 'Not live since',
  },
  {
    name: 'activity',
    empty: { path: '/activity', shown: 'Nothing has happened yet', action: START },
    many: { path: '/activity', shown: 'Load earlier' },
    few: { path: '/activity', shown: ' asks: ' },
    request: /\/api\/activity/,
    error: 'Could not load the activity',
  },
  {
    name: 'crew',
    empty: {
      path: '/crew',
      shown: 'No coding agent was found',
      action: {
        role: 'button',
        name: 'Look again',
        works: (page) => page.waitForResponse(/\/api\/crew/),
      },
    },
    many: { path: '/crew', shown: 'gpt-6-codex-mini' },
    few: { path: '/crew', shown: 'its own model' },
    request: /\/api\/crew/,
    error: 'Could not load the crew',
  },
  {
    name: 'metrics',
    empty: { path: '/metrics', shown: 'Numbers appear after the first finished task', action: START },
    many: {
      path: '/metrics?days=30',
      shown: 'Tasks completed',
      act: (page) => page.locator('canvas').nth(5).waitFor(),
    },
    few: { path: '/metrics', shown: 'Tasks completed' },
    request: /\/api\/metrics\/history/,
    error: 'Could not load the metrics',
  },
  {
    name: 'settings',
    empty: { path: '/settings', shown: 'Settings in effect' },
    many: { path: '/settings', shown: 'of 1,000 permissions' },
    few: { path: '/settings', shown: 'each_task' },
    request: /\/api\/settings/,
    error: 'Could not load the settings',
  },
]
