/** `spec_feedback` and `submit_stories`, for the session of the architect: one call is its answer. */
import { feedbackAnswer, feedbackInput, storiesAnswer, storiesInput } from '../app/architect/spec-tools.ts'
import { atomicWriteText } from '../lib/files/atomic-write.ts'
import { readIfExists } from '../lib/files/read-if-exists.ts'
import { usageRefusal } from '../lib/refusal.ts'
import { tool, type Tool, type ToolAnswer } from './tool.ts'

export function architectTools(env: Readonly<Record<string, string | undefined>>): readonly Tool[] {
  const { BOSUN_ANSWER: file = '' } = env
  if (file === '')
    throw usageRefusal(
      'BOSUN_ANSWER is not set; bosun mcp --architect is for the session that reviews a spec',
      'For your own assistant: bosun mcp',
    )
  const answer = async (given: unknown): Promise<ToolAnswer> => {
    if (readIfExists(file) !== null)
      return { text: 'You have answered already. End your turn.', isError: true }
    await atomicWriteText(file, JSON.stringify(given))
    return { text: 'Taken. End your turn; problems of it are reported to you then.' }
  }
  return [
    tool({
      name: 'spec_feedback',
      description: 'Send the specification back: it cannot be built as it is',
      input: feedbackInput(),
      call: (given) => answer(feedbackAnswer(given)),
    }),
    tool({
      name: 'submit_stories',
      description: 'Approve the specification with the stories that build it',
      input: storiesInput(),
      call: (given) => answer(storiesAnswer(given)),
    }),
  ]
}
