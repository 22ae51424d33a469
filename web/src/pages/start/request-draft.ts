/** What is typed on the start page: kept until it is started, also over a reload. */
import type { IntakeAnswer, IntakeRequest } from '../../../../src/protocol/intake.ts'

export interface Attachment {
  readonly name: string
  readonly text: string
}

/** What the user decided and answered. */
export type Overrides = Partial<
  Pick<
    IntakeRequest,
    'type' | 'scope' | 'workflow' | 'criteria' | 'answers' | 'understood' | 'round' | 'judge'
  >
>

/** A copy, as requests take it. */
export const workToSend = (work: IntakeAnswer['work']) => ({
  criteria: [...work.criteria],
  files: { create: [...work.files.create], modify: [...work.files.modify] },
  tests_to_add: [...work.tests_to_add],
  constraints: [...work.constraints],
  out_of_scope: [...work.out_of_scope],
})

/** A request says what is wanted; only a plan may be longer. */
const MOST_BYTES = 20 * 1024 * 1024

/** The text of a request, and the name of its file where it is one file alone. */
export function requestOf(
  text: string,
  attachments: readonly Attachment[],
): { readonly text: string; readonly file_name: string | null } {
  const [only] = attachments
  if (text.trim() === '' && attachments.length === 1 && only !== undefined)
    return { text: only.text, file_name: only.name }
  const parts = attachments.map((file) => `## ${file.name}\n\n${file.text.trim()}`)
  return { text: [text.trim(), ...parts].filter((part) => part !== '').join('\n\n'), file_name: null }
}

export type ReadFile =
  | { readonly ok: true; readonly file: Attachment }
  | { readonly ok: false; readonly why: string }

/** Text files only: a picture or an archive would be sent as noise. */
export async function readDropped(file: File): Promise<ReadFile> {
  if (file.size > MOST_BYTES)
    return { ok: false, why: `${file.name} is larger than 20 MB. Drop the plan or spec itself.` }
  try {
    const bytes = new Uint8Array(await file.arrayBuffer())
    const text = new TextDecoder('utf-8', { fatal: true }).decode(bytes)
    if (text.includes('\0')) return { ok: false, why: notText(file.name) }
    if (text.trim() === '') return { ok: false, why: `${file.name} is empty.` }
    return { ok: true, file: { name: file.name, text } }
  } catch {
    // Not UTF-8, a folder, or a file that went away.
    return { ok: false, why: notText(file.name) }
  }
}

const notText = (name: string): string =>
  `${name} is not a text file. Drop Markdown, YAML or plain text, or describe it in words.`
