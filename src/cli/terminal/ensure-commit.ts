/** Work starts from a commit. A folder without one gets an empty one where the person agrees, before anything is spent. */
import { Refusal, refusal } from '../../lib/refusal.ts'
import { terminalLine } from '../../lib/text/terminal-text.ts'
import type { NewProject } from '../../ports/repositories.ts'
import type { Dialogue, Terminal } from './terminal.ts'

type Ask = Dialogue['ask']

export interface FirstCommit {
  /** Null where there is a commit to start from. */
  readonly project: NewProject | null
  /** `--yes`. */
  readonly isAgreed: boolean
  /** Null without a person at the terminal. */
  readonly ask: Ask | null
  readonly terminal: Pick<Terminal, 'printMessage'>
}

/** Refuses with the commands that create it where the person has not agreed and cannot be asked. */
export async function ensureCommit(given: FirstCommit): Promise<'ready' | 'declined'> {
  const { project, isAgreed, ask, terminal } = given
  if (project === null) return 'ready'
  if (!isAgreed) {
    if (ask === null) throw refusalFor(project)
    if (!(await agrees(ask, project))) return 'declined'
  }
  await project.create()
  terminal.printMessage(createdText(project))
  return 'ready'
}

/** Asks at the terminal, which is free again after the answer. */
export function askingAt(terminal: Pick<Terminal, 'converse'>, interruption: () => AbortSignal): Ask {
  return async (question) => {
    const dialogue = await terminal.converse()
    try {
      return await interruptible(dialogue, interruption())(question)
    } finally {
      dialogue.close()
    }
  }
}

/** Ctrl-C and the end of the input are a no. */
async function agrees(ask: Ask, project: NewProject): Promise<boolean> {
  const what =
    project.lacks === 'repository' ? 'Create one with an empty first commit' : 'Create an empty one'
  const kept = project.hasFiles ? 'The files that are here stay as they are, uncommitted.\n' : ''
  for (;;) {
    const line = (await ask(`${sentence(project)}.\n${kept}${what}? [Y/n] `))?.trim()
    if (line === undefined || /^(n|no|q|quit)$/i.test(line)) return false
    if (line === '' || /^(y|yes)$/i.test(line)) return true
  }
}

const sentence = ({ folder, lacks }: NewProject): string =>
  `${terminalLine(folder)} ${lacks === 'repository' ? 'is not a git repository' : 'has no commit yet'}`

const COMMIT = "git commit --allow-empty -m 'Start'"

function refusalFor(project: NewProject): Refusal {
  const commands = project.lacks === 'repository' ? `git init && ${COMMIT}` : COMMIT
  return refusal(
    'needs_person',
    `${sentence(project)}; work starts from a commit`,
    `Create it with: ${commands}, or pass --yes for an empty first commit.`,
  )
}

function createdText({ folder, lacks, hasFiles }: NewProject): string {
  const created =
    lacks === 'repository'
      ? 'created a git repository with an empty first commit'
      : 'created an empty first commit'
  const kept = hasFiles
    ? 'The files that were here are not in it, so workers do not see them: commit what they should see.\n'
    : ''
  return `${created} in ${terminalLine(folder)}\n${kept}`
}

/** Asks until Ctrl-C; from then on the answer is null, as at the end of the input. */
export function interruptible(dialogue: Dialogue, interrupted: AbortSignal): Dialogue['ask'] {
  const { promise, resolve } = Promise.withResolvers<null>()
  interrupted.addEventListener('abort', () => resolve(null), { once: true })
  return async (question) => (interrupted.aborted ? null : Promise.race([promise, dialogue.ask(question)]))
}
