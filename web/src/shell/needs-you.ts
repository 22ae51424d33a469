/** What needs a person, as one list: its length is the count in the rail and the title. */
import type { InboxEntry } from '../../../src/protocol/answers.ts'
import type { SnapshotAnswer } from '../../../src/protocol/machine-answer.ts'
import { sentence } from '../ui/format.ts'

export type Interview = SnapshotAnswer['interviews'][number]

export type Need =
  | { readonly kind: 'item'; readonly key: string; readonly item: InboxEntry }
  | { readonly kind: 'interview'; readonly key: string; readonly interview: Interview }

/** Blocking items first, of those what other tasks wait for, the oldest first; then interviews that wait for an answer. */
export function needsOf(snapshot: Pick<SnapshotAnswer, 'inbox' | 'interviews'>): readonly Need[] {
  const items = snapshot.inbox
    .toSorted((a, b) => urgency(b) - urgency(a) || Date.parse(a.since) - Date.parse(b.since))
    .map((item): Need => ({ kind: 'item', key: keyOf(item), item }))
  const interviews = snapshot.interviews
    .filter(({ waits }) => waits)
    .map((interview): Need => ({ kind: 'interview', key: `interview:${interview.session_id}`, interview }))
  return [...items, ...interviews]
}

const urgency = ({ blocking, blocks, task }: InboxEntry): number =>
  Number(blocking) * 2 + Number(blocks.some((id) => id !== task))

/** Two repositories may have plans, and so items, of the same id. */
export const keyOf = ({ repo, plan, id }: InboxEntry): string => `${repo}:${plan}:${id}`

/** Null where it is not known. */
export const countNeeds = (snapshot: SnapshotAnswer | undefined): number | null =>
  snapshot === undefined ? null : needsOf(snapshot).length

/** What the address of home names: an item, and where ids are ambiguous its plan and repository. */
export interface AskedItem {
  readonly item: string
  readonly plan?: string | undefined
  readonly repo?: string | undefined
}

/** Of a link to an item. Its id alone names another item once two plans use the same. */
export const searchOfItem = ({ id, plan, repo }: Pick<InboxEntry, 'id' | 'plan' | 'repo'>) => ({
  item: id,
  plan,
  ...(repo === '' ? {} : { repo }),
})

/** The key of the item that a link names; null where it is not there, or two could be meant. */
export function keyOfItem(needs: readonly Need[], { item: id, plan, repo }: AskedItem): string | null {
  const near = needs.flatMap((need) =>
    need.kind === 'item' &&
    (plan === undefined || need.item.plan === plan) &&
    (repo === undefined || need.item.repo === '' || need.item.repo === repo)
      ? [need]
      : [],
  )
  const idsOf = ({ item }: (typeof near)[number]): readonly string[] => [item.id, ...item.group]
  const exact = near.find((need) => idsOf(need).includes(id))
  if (exact !== undefined && plan === undefined) return exact.key
  // An id gets its plan in front, or loses it, as items of other plans open and close.
  const same = near.filter((need) => idsOf(need).some((one) => ownId(one) === ownId(id)))
  return same.length === 1 ? (same[0]?.key ?? null) : (exact?.key ?? null)
}

/** `E-1` of `shop:E-1`. */
const ownId = (id: string): string => id.slice(id.lastIndexOf(':') + 1)

export interface Headline {
  /** Of its task; null where it is about none. */
  readonly title: string | null
  /** What is asked, as a sentence. */
  readonly text: string
}

type AboutTask = Pick<InboxEntry, 'task' | 'task_title'>

/** The task's title, then what is asked about it. */
export const headline = (item: AboutTask & Pick<InboxEntry, 'problem'>): Headline => ({
  title: item.task_title,
  text: withoutTask(item.problem, item) ?? sentence(item.problem),
})

/** The sentences of the terminal name their task within; null for one that does not. */
export function withoutTask(text: string, { task, task_title: title }: AboutTask): string | null {
  const name = `task ${task} (${title})`
  const at = text.indexOf(name)
  if (task === null || title === null || at === -1) return null
  const before = text.slice(0, at).replace(/ at $/, '')
  const after = text.slice(at + name.length)
  // What stands before it is the id of a worker or a person's name.
  return before === '' ? sentence(after.replace(/^:? /, '')) : `${before}${after}`
}

/** What it is called in a list; the title of its task where it has one. */
export const nameOfNeed = (need: Need): string =>
  need.kind === 'item' ? (headline(need.item).title ?? sentence(need.item.problem)) : need.interview.title

/** What a person does about it. */
export const KIND_WORD: Readonly<Record<InboxEntry['kind'], string>> = {
  escalation: 'Decide',
  question: 'Answer',
  approval: 'Approve',
  permission: 'Permit',
  release: 'Sign',
}
