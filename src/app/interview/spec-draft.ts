/** A spec that was submitted or uploaded, checked. */
import { createHash } from 'node:crypto'
import type { SpecDraft } from '../../core/interview/machine.ts'
import type { Fault } from '../../lib/refusal.ts'
import type { InterviewParts } from './interview-parts.ts'

export type CheckedDraft =
  | { readonly ok: true; readonly draft: SpecDraft }
  | { readonly ok: false; readonly faults: readonly Fault[]; readonly problems: readonly string[] }

/** Of the bootstrap spec, which has no fixed form, only the size counts. */
const MAX_BOOTSTRAP_BYTES = 100 * 1024

export function checkedDraft(
  checkSpec: InterviewParts['checkSpec'],
  markdown: string,
  bootstrap: string | null,
): CheckedDraft {
  const { metadata, faults } = checkSpec(markdown)
  if (metadata === null || faults.length > 0) {
    const problems = faults.map(({ line, message, remedy }) => `line ${line}: ${message} (${remedy})`)
    return { ok: false, faults, problems }
  }
  if (bootstrap !== null && Buffer.byteLength(bootstrap) > MAX_BOOTSTRAP_BYTES)
    return { ok: false, faults: [], problems: ['the bootstrap spec is larger than 100 KB'] }
  const bootstrap_spec_md = bootstrap === null || bootstrap.trim() === '' ? null : bootstrap
  const draft = { user_spec_md: markdown, bootstrap_spec_md, spec_metadata: metadata }
  return { ok: true, draft: { ...draft, sha256: draftSha256(draft) } }
}

/** The length goes first, so that text cannot move from one document to the other unnoticed. */
function draftSha256(draft: Pick<SpecDraft, 'user_spec_md' | 'bootstrap_spec_md'>): string {
  const hash = createHash('sha256').update(`${Buffer.byteLength(draft.user_spec_md)}\n`)
  return hash
    .update(draft.user_spec_md)
    .update(draft.bootstrap_spec_md ?? '')
    .digest('hex')
}
