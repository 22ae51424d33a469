/** How an option of an item is shown, and what it takes before it can be sent. Pure. */
import type { InboxEntry } from '../../../../src/protocol/answers.ts'
import { sentence } from '../../ui/format.ts'

export type Option = InboxEntry['options'][number]

export interface ShownOption {
  readonly key: string
  /** On the button. */
  readonly title: string
  /** Beside it; null where the button says it all. */
  readonly text: string | null
  readonly consequence: string | null
  readonly isRecommended: boolean
  /** `needed` is refused without; `reason` is recorded with the person's name. */
  readonly takes: 'nothing' | 'text' | 'needed' | 'reason'
  /** An amount that it may be given, where it takes one. */
  readonly example: string | null
  /** It asks once more, whatever it takes. */
  readonly isFinal: boolean
  /** It lets work through, so that is shown before it can be sent. */
  readonly landsWork: boolean
  /** How far it may reach: each option of a permission has its own choice. Empty where there is none. */
  readonly scopes: readonly Scope[]
}

export type Scope = InboxEntry['scopes'][number]

/** They stop work or throw it away. */
const FINAL: ReadonlySet<string> = new Set(['drop', 'cancel', 'kill', 'reject', 'sign', 'release'])
/** The command line's way to give a text. */
const FLAG = /[:,]?\s*(?:or as (?:many|much) as you set|or to what you set)?:?\s*--feedback "(.*?)"/
/** In place of any text. */
const ANY = '…'

const TITLES: Readonly<Record<string, string>> = {
  revise: 'Send back',
  approve: 'Approve',
  sign: 'Sign off',
  leave_out: 'Skip them',
}

export function shownOption(item: InboxEntry, option: Option): ShownOption {
  const { key, consequence } = option
  const [, example = null] = FLAG.exec(option.label) ?? []
  const label = sentence(option.label.replace(FLAG, '').trim())
  const isWord = /^[a-z][a-z_]{2,}$/.test(key)
  const isOverride = key === 'approve' && item.reason_needed.includes(key)
  const title = isOverride ? 'Override' : isWord ? (TITLES[key] ?? sentence(key.replaceAll('_', ' '))) : label
  return {
    key,
    title,
    // How far a permission reaches is chosen beside it.
    text: title === label || item.kind === 'permission' ? null : label,
    consequence: consequence === '' ? null : consequence,
    isRecommended: key === item.recommended,
    takes: item.reason_needed.includes(key)
      ? 'reason'
      : item.feedback_needed.includes(key)
        ? 'needed'
        : example !== null || key === 'revise'
          ? 'text'
          : 'nothing',
    example: example === ANY ? null : example,
    isFinal: FINAL.has(key),
    landsWork: key === 'approve' && item.task !== null,
    scopes: item.kind === 'permission' && item.scopes.length > 1 ? item.scopes : [],
  }
}

/** Whether choosing it opens a form; else it is sent at once. */
export const opensForm = ({ takes, isFinal, landsWork }: ShownOption): boolean =>
  takes !== 'nothing' || isFinal || landsWork

/** What the text of an option is, by its key. */
const BOXES: Readonly<Record<string, string>> = {
  answer: 'Your answer',
  nudge: 'Your message',
  rescope: 'The new scope',
  revise: 'What should change?',
}

/** The box for what an option takes. */
export function boxOf({ key, takes, example }: ShownOption): {
  readonly label: string
  readonly hint?: string
} {
  if (takes === 'reason') return { label: 'Reason' }
  if (takes === 'nothing') return { label: 'Note (optional)' }
  if (example !== null) return { label: 'How much (optional)', hint: `For example: ${example}` }
  const label = BOXES[key] ?? 'Your text'
  return { label: takes === 'needed' ? label : `${label} (optional)` }
}

const DONE: Readonly<Record<string, string>> = {
  Approve: 'Approved',
  Override: 'Overridden',
  'Send back': 'Sent back',
  Reject: 'Rejected',
  Retry: 'Tried again',
}

/** What was decided, once it is recorded. */
export const doneWords = ({ id, task }: Pick<InboxEntry, 'id' | 'task'>, title: string): string =>
  `${DONE[title] ?? title}: ${task === null ? id : `task ${task}`}`

/** The other tasks that wait for it. */
export const othersBlocked = ({ blocks, task }: InboxEntry): readonly string[] =>
  blocks.filter((id) => id !== task)

/** What it rests on beyond what its problem says: the summary of a failing gate is often in both. */
export const furtherEvidence = ({ evidence, problem }: Pick<InboxEntry, 'evidence' | 'problem'>) =>
  evidence.filter((line) => {
    const at = line.indexOf(': ')
    return at === -1 || !problem.includes(line.slice(at))
  })

/** Its impact says no more than the list of tasks that it blocks. */
export const isSaidByBlocks = (item: InboxEntry): boolean =>
  othersBlocked(item).length > 0 && /^task \S+ and its dependents \([^()]*\) are blocked$/.test(item.impact)

/** What is missing before it can be sent; null where nothing is. */
export function missingFor(
  option: Pick<ShownOption, 'takes'>,
  given: { readonly text: string; readonly name: string },
): 'text' | 'name' | null {
  if ((option.takes === 'needed' || option.takes === 'reason') && given.text.trim() === '') return 'text'
  return option.takes === 'reason' && given.name.trim() === '' ? 'name' : null
}

/** It asks whether a plan starts: until then the plan can be edited. No other item has such an option. */
export const isProposal = ({ options }: Pick<InboxEntry, 'options'>): boolean =>
  options.some(({ key }) => key === 'start')
