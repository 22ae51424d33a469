import { beforeEach, expect, test } from 'vitest'
import type { JournalFact } from '../../worker-folder.ts'
import { SessionLog, ToolCalls } from './session-log.ts'
import { toolCallSchema } from './updates.ts'

let noted: JournalFact[]
let lines: Record<string, unknown>[]
let calls: ToolCalls
beforeEach(() => {
  noted = []
  lines = []
  calls = new ToolCalls(
    new SessionLog({
      note: (fact) => noted.push(fact),
      transcribe: (line) => lines.push(JSON.parse(line) as Record<string, unknown>),
      now: () => 5,
    }),
  )
})
const take = (part: object) => calls.take(toolCallSchema.parse({ toolCallId: 'c', ...part }))
const written = () => lines.map(({ kind, text, detail }) => [kind, text, detail])

test('the arguments of a call are in the transcript when it begins, and not in the journal', () => {
  take({ title: 'npm test', kind: 'execute', status: 'pending', rawInput: { command: 'npm test' } })
  expect(written()).toEqual([['tool_started', 'execute npm test', '{"command":"npm test"}']])
  expect(noted).toEqual([{ kind: 'tool_started', id: 'c', tool: 'execute', title: 'npm test' }])
})

test('a name and arguments that come while it runs are in the transcript, each once and a few times at most', () => {
  take({ title: 'Terminal', kind: 'execute', status: 'pending', rawInput: {} })
  take({ status: 'in_progress' })
  for (const command of ['n', 'n', 'np', 'npm', 'npm ', 'npm t'])
    take({ status: 'in_progress', title: 'npm test', rawInput: { command } })
  take({ status: 'completed', rawInput: { command: 'npm test' } })
  expect(written()).toEqual([
    ['tool_started', 'execute Terminal', null],
    ['tool_updated', 'execute npm test', '{"command":"n"}'],
    ['tool_updated', 'execute npm test', '{"command":"np"}'],
    ['tool_updated', 'execute npm test', '{"command":"npm"}'],
    ['tool_ended', 'execute npm test', '{"command":"npm test"}'],
  ])
  expect(noted.map(({ kind }) => kind)).toEqual(['tool_started', 'tool_ended'])
})

test('arguments are cut', () => {
  take({ title: 'write', kind: 'edit', status: 'pending', rawInput: { text: 'x'.repeat(10_000) } })
  expect(String(lines[0]?.['detail'])).toHaveLength(4000)
})
