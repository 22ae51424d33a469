/** `bosun init --skill`: the skill by which a coding agent hands a plan to Bosun, written for each agent, and never over another file. */
import { readFileSync, realpathSync } from 'node:fs'
import { lstat, mkdir, readFile, writeFile } from 'node:fs/promises'
import { dirname, join, sep } from 'node:path'
import { errorCode } from '../../lib/files/system-error.ts'
import { PACKAGE_ROOT } from '../../lib/system/package-root.ts'

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

interface SkillFile {
  /** The agent that reads it. */
  readonly agent: string
  /** In the repository. */
  readonly path: string
  /** What a user types there. */
  readonly call: string
  readonly text: string
}

const DESCRIPTION =
  'Hand a plan, and the design it is checked against, to Bosun, which has agents build, verify and commit it. Only when the user asks for it.'

const BODY = readFileSync(join(PACKAGE_ROOT, 'examples/pm-agent.md'), 'utf8')

const ARGUMENTS = 'The user named'

const frontMatter = (lines: readonly string[]): string => `---\n${lines.join('\n')}\n---\n\n`

const SKILL = `${frontMatter([
  'name: pm-agent',
  `description: ${DESCRIPTION}`,
  'argument-hint: "[design] [plan]"',
  'disable-model-invocation: true',
])}${BODY}`

export const SKILL_FILES: readonly SkillFile[] = [
  {
    agent: 'Claude Code',
    path: '.claude/skills/pm-agent/SKILL.md',
    call: '/pm-agent <design> <plan>',
    text: SKILL,
  },
  {
    agent: 'Codex',
    path: '.agents/skills/pm-agent/SKILL.md',
    call: '$pm-agent <design> <plan>',
    text: SKILL,
  },
  {
    agent: 'OpenCode',
    path: '.opencode/commands/pm-agent.md',
    call: '/pm-agent <design> <plan>',
    text: `${frontMatter([`description: ${DESCRIPTION}`])}${BODY}\n${ARGUMENTS}: $ARGUMENTS\n`,
  },
  {
    agent: 'Gemini CLI',
    path: '.gemini/commands/pm-agent.toml',
    call: '/pm-agent <design> <plan>',
    text: `description = "${DESCRIPTION}"\nprompt = '''\n${BODY}\n${ARGUMENTS}: {{args}}\n'''\n`,
  },
]
