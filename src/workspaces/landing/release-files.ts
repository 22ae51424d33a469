/** The release manifest as YAML, with a digest of everything else in it, so that any change shows. */
import { createHash } from 'node:crypto'
import { Document, isMap, isScalar, isSeq, parse, visit, type YAMLMap } from 'yaml'
import { writtenManifest, type ReleaseManifest } from '../../core/delivery/release/manifest-schema.ts'
import type { PrepareRelease } from '../../core/decide/effects.ts'
import { documentPath } from '../../core/languages/paths.ts'

export function manifestText(manifest: ReleaseManifest): string {
  const document = new Document(writtenManifest(manifest))
  visit(document, {
    Map(_, node, path) {
      if (path.some((one) => isMap(one)) && isShort(node)) node.flow = true
    },
  })
  const body = document.toString({ lineWidth: 0 })
  return `${body}digest: ${digestOf(body)}\n`
}

const LONGEST_ON_A_LINE = 70

/** Plain values that fit on one line, as formatters leave them. */
function isShort({ items }: YAMLMap): boolean {
  if (!items.every(({ value }) => isScalar(value) || isEmpty(value))) return false
  const text = items.map(({ key, value }) => `${String(key)}: ${isScalar(value) ? String(value) : '[]'}`)
  return text.join(', ').length <= LONGEST_ON_A_LINE
}

const isEmpty = (value: unknown): boolean => isSeq(value) && value.items.length === 0

/** It is read on other machines: documents are named as the repository has them. */
export function withoutPlaces(manifest: ReleaseManifest, root: string): ReleaseManifest {
  const { plan_doc, design_doc } = manifest
  return {
    ...manifest,
    plan_doc: documentPath(plan_doc, root),
    design_doc: design_doc === null ? null : documentPath(design_doc, root),
  }
}

/** The manifest, and the notes that it names by their bytes. */
export function releaseFiles(
  { manifest, notes }: Pick<PrepareRelease, 'manifest' | 'notes'>,
  path: string,
): { readonly manifest: ReleaseManifest; readonly notes: readonly { path: string; content: string }[] } {
  if (notes === null) return { manifest, notes: [] }
  return {
    manifest: { ...manifest, release_notes: { path, sha256: digestOf(notes) } },
    notes: [{ path, content: notes }],
  }
}

/** The sha256 of a manifest's text up to its digest. */
export const digestOf = (body: string): string => createHash('sha256').update(body).digest('hex')

export type ManifestRead =
  | { readonly ok: true; readonly manifest: Readonly<Record<string, unknown>> }
  | { readonly ok: false; readonly why: string }

/** Reads a manifest back. It must be, to the byte, what was written. */
export function readManifest(text: string): ManifestRead {
  const match = /^([\s\S]*)digest: ([0-9a-f]{64})\n$/.exec(text)
  if (match === null) return { ok: false, why: 'its last line is not a digest' }
  const [, body = '', digest = ''] = match
  if (digestOf(body) !== digest) return { ok: false, why: 'its digest does not match: the file was changed' }
  const parsed: unknown = parse(body)
  if (typeof parsed !== 'object' || parsed === null) return { ok: false, why: 'not a manifest' }
  return { ok: true, manifest: parsed as Record<string, unknown> }
}
