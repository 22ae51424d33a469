/** Notifies the person at an attached terminal. When that is due the daemon says, by the same rules as for every other way. */
import type { PageNotice } from '../../protocol/rows/page-notice.ts'
import type { Terminal } from './terminal.ts'

/** What to write to the terminal. */
export async function attachedNotice(env: Terminal['env'], { title, text }: PageNotice): Promise<string> {
  const [{ notifySequence }, { desktopProgram }] = await Promise.all([
    import('./notify-sequence.ts'),
    import('../../lib/process/desktop-program.ts'),
  ])
  // On this desktop the daemon shows the text itself.
  const shownBy = desktopProgram(env) === null ? env : {}
  return notifySequence(shownBy, { title, text: text.replaceAll('\n', ' · ') })
}
