/** A PATH on which no coding agent is found, so that what a test expects does not depend on the machine's. */
import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'
import { AGENT_ROWS } from '../../src/agents/profiles/rows.ts'

const PROGRAMS = new Set(AGENT_ROWS.map(({ name }) => name))

/** A folder that holds an agent beside other programs is replaced by links to those. */
export function pathWithoutAgents(path: string): string {
  return path
    .split(delimiter)
    .map((folder) => (hasAgent(folder) ? linksOf(folder) : folder))
    .join(delimiter)
}

const hasAgent = (folder: string): boolean =>
  [...PROGRAMS].some((program) => existsSync(join(folder, program)))

const linked = new Map<string, string>()
let root: string | null = null

function linksOf(folder: string): string {
  const known = linked.get(folder)
  if (known !== undefined) return known
  root ??= newRoot()
  const links = join(root, String(linked.size))
  mkdirSync(links)
  for (const name of readdirSync(folder))
    if (!PROGRAMS.has(name)) symlinkSync(join(folder, name), join(links, name))
  linked.set(folder, links)
  return links
}

function newRoot(): string {
  const folder = mkdtempSync(join(tmpdir(), 'bosun-path-'))
  process.once('exit', () => rmSync(folder, { recursive: true, force: true }))
  return folder
}
