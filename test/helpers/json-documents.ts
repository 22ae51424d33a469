/** What commands print with `--json`, against the table of documents. */
import { z } from 'zod'
import { DOCUMENTS, type DocumentName } from './documents/documents.ts'

const NAMES = Object.keys(DOCUMENTS) as DocumentName[]

/** The objects in an output: one over several lines, or one a line. What was cut off is left out. */
export function objectsIn(output: string): readonly unknown[] {
  const isLines = output.startsWith('{"')
  return (isLines ? output.trimEnd().split('\n') : [output]).flatMap((text) => {
    try {
      return [JSON.parse(text) as unknown]
    } catch {
      return []
    }
  })
}

const headed = z.looseObject({ schema: z.string().regex(/^bosun\.[a-z]+\/v1$/) })

/** Why an object is no document of its command; empty where it is one. */
export function documentProblems(
  printed: unknown,
  among: readonly DocumentName[] = NAMES,
): readonly string[] {
  const head = headed.safeParse(printed)
  if (!head.success) return [z.prettifyError(head.error)]
  const { schema, ...document } = head.data
  const command = schema.slice('bosun.'.length, -'/v1'.length)
  const rows = among.filter((name) => name.split(' ', 1)[0] === command)
  if (rows.length === 0) return [`no document is called ${schema}`]
  const problems = rows.map((name) => {
    const { error } = DOCUMENTS[name].safeParse(document)
    return error === undefined ? null : `${name}: ${z.prettifyError(error)}`
  })
  return problems.includes(null) ? [] : problems.filter((problem) => problem !== null)
}

/** Throws where a command printed something that is not in the table. */
export function requireDocuments(args: readonly string[], output: string): void {
  if (!args.includes('--json')) return
  const problems = objectsIn(output).flatMap((printed) => documentProblems(printed))
  if (problems.length > 0)
    throw new Error(`bosun ${args.join(' ')} printed no document: ${problems.join('\n')}`)
}
