/** What a project calls itself, by the first manifest that says it. */
import { parse as parseToml } from 'smol-toml'
import { z } from 'zod'
import { oneLine } from '../../lib/text/counted.ts'

/** In the order in which they are asked. */
export const NAMING_MANIFESTS = [
  'package.json',
  'pyproject.toml',
  'Cargo.toml',
  'go.mod',
  'composer.json',
] as const

const LONGEST = 200

const own = z.object({ name: z.string().min(1), description: z.string().optional().catch(undefined) })
const manifest = z.union([
  own,
  z.object({ project: own }).transform(({ project }) => project),
  z.object({ package: own }).transform((crate) => crate.package),
])

/** Its name, with its description behind it; null where no manifest tells one. */
export function projectName(textOf: (path: string) => string | null): string | null {
  for (const path of NAMING_MANIFESTS) {
    const text = textOf(path)
    const name = text === null ? null : nameIn(path, text)
    if (name !== null) return oneLine(name).slice(0, LONGEST)
  }
  return null
}

function nameIn(path: string, text: string): string | null {
  if (path === 'go.mod') return /^module\s+(\S+)/m.exec(text)?.[1] ?? null
  const found = manifest.safeParse(parsed(path, text))
  if (!found.success) return null
  const { name, description } = found.data
  return description === undefined ? name : `${name}: ${description}`
}

function parsed(path: string, text: string): unknown {
  try {
    return path.endsWith('.json') ? JSON.parse(text) : parseToml(text)
  } catch {
    return null
  }
}
