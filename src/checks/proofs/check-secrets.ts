/** Reads the input of the secrets gate: binary files of the checkout and known secret values. */
import { createHash } from 'node:crypto'
import type { Report, Verdict } from '../../core/event-schemas/schemas.ts'
import type { Change } from '../../core/gates/change.ts'
import {
  secretsIn,
  variablesIn,
  worthHolding,
  type HeldSecret,
} from '../../core/gates/secrets/held-values.ts'
import { secretsGate, type BinaryFile } from '../../core/gates/secrets/secrets-gate.ts'
import { CheckoutFiles } from '../runner/checkout-files.ts'
import { unpacked } from '../runner/unpack.ts'

const MOST_BYTES = 32 * 1024 * 1024

export function checkSecrets(facts: {
  readonly change: Change
  readonly files: CheckoutFiles
  readonly held: readonly HeldSecret[]
  readonly report: Report | null
}): Verdict {
  const { change, files, held, report } = facts
  const binaries = change.files
    .filter((file) => file.isBinary && file.kind !== 'deleted')
    .flatMap(({ path }): readonly BinaryFile[] => {
      const read = files.bytes(path, MOST_BYTES)
      if (read.kind === 'absent') return []
      const contents =
        read.kind === 'bytes' ? unpacked(read.bytes).map((one) => one.toString('latin1')) : null
      return [{ path, contents }]
    })
  const written = report?.reviewNote
  const note =
    written === null || written === undefined ? [] : [written.summary, ...written.risks, written.rollback]
  return secretsGate({
    change,
    held,
    binaries,
    notes: note.map((text) => ({ where: 'the review note', text })),
    hashOf: (secret) => `sha256 ${createHash('sha256').update(secret).digest('hex').slice(0, 8)}`,
  })
}

/** Values of the env files that are copied into checkouts from the user's work tree. */
export function secretsOfEnvFiles(root: string | null, paths: readonly string[]): readonly HeldSecret[] {
  if (root === null || paths.length === 0) return []
  const files = new CheckoutFiles(root)
  return worthHolding(
    paths.flatMap((path) => secretsIn(variablesIn(files.text(path) ?? ''), path, 'by name or chance')),
  )
}
