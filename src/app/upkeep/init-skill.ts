/** `bosun init --skill`: writes the skill for each agent, and never over a file that says something else. */
import { realpathSync } from 'node:fs'
import { lstat, mkdir, readFile, writeFile } from 'node:fs/promises'
import { dirname, join, sep } from 'node:path'
import { errorCode } from '../../lib/system/error-code.ts'
import { SKILL_FILES, type SkillFile } from './skill-files.ts'

export type SkillOutcome = 'written' | 'unchanged' | 'conflict'

export interface WrittenSkill {
  readonly agent: string
  readonly path: string
  readonly call: string
  readonly outcome: SkillOutcome
  /** Why it was not written; null unless it conflicts. */
  readonly why: string | null
}

/** In the order of the table; a conflict leaves that file alone and the others are written. */
export async function initSkill(root: string): Promise<readonly WrittenSkill[]> {
  const written: WrittenSkill[] = []
  for (const { agent, path, call, text } of SKILL_FILES) {
    const why = await conflictAt(root, path)
    const outcome = why === null ? await write(join(root, path), text) : 'conflict'
    written.push({ agent, path, call, outcome, why: outcome === 'conflict' ? (why ?? EXISTS) : null })
  }
  return written
}

const EXISTS = 'a file with other content already exists'

/** A link may lead out of the repository, or to a file that is shared with other repositories. */
async function conflictAt(root: string, path: SkillFile['path']): Promise<string | null> {
  const inside = realpathSync(root)
  let folder = dirname(join(root, path))
  for (;;) {
    try {
      const real = realpathSync(folder)
      if (real !== inside && !real.startsWith(`${inside}${sep}`))
        return 'its folder is outside the repository'
      return (await lstat(real)).isDirectory() ? null : 'a file is in the place of its folder'
    } catch (error) {
      if (errorCode(error) === 'ENOTDIR') return 'a file is in the place of its folder'
      if (errorCode(error) !== 'ENOENT') throw error
      if (await isDeadLink(folder)) return 'a link to nothing is in the place of its folder'
      folder = dirname(folder)
    }
  }
}

async function isDeadLink(path: string): Promise<boolean> {
  try {
    return (await lstat(path)).isSymbolicLink()
  } catch {
    // Absent: it can be made.
    return false
  }
}

async function write(file: string, text: string): Promise<SkillOutcome> {
  await mkdir(dirname(file), { recursive: true })
  try {
    await writeFile(file, text, { flag: 'wx' })
    return 'written'
  } catch (error) {
    if (errorCode(error) !== 'EEXIST') throw error
    return (await textAt(file)) === text ? 'unchanged' : 'conflict'
  }
}

async function textAt(file: string): Promise<string | null> {
  const at = await lstat(file)
  return at.isFile() && at.size < 1_000_000 ? readFile(file, 'utf8') : null
}
