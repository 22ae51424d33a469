/** Reads a spec file and checks it. */
import { readSpec, type SpecReading } from '../../core/spec/read-spec.ts'
import { readText, type TextKind, type TextSource } from '../plans/read-text.ts'

const SPEC_TEXT: TextKind = {
  // More than a spec may have, so that a spec that is slightly too long is refused as a spec.
  maxBytes: 4 * 1024 * 1024,
  tooLong: 'A spec has at most 100 KB. Move background material into other documents.',
  notText: 'A spec is Markdown in UTF-8.',
  directory: 'Give the path of one spec file.',
}

/** Mistakes in the spec are part of the result. Throws a refusal only if it cannot be read at all. */
export const checkSpecFile = async (file: TextSource): Promise<SpecReading> =>
  readSpec(await readText(file, SPEC_TEXT), file.path)
