/** How the misbehaving agent answers questions: with what stands in a file of its folder. */
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { Client } from '@modelcontextprotocol/client'
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio'
import type { Ended, Turn, TurnEnd } from './turn.ts'

const answer = (turn: Turn): Ended => {
  const path = join(turn.session.cwd, 'answer.json')
  turn.say('I look into {answer.json}. ')
  const call = turn.nextCall()
  turn.startTool(call, { kind: 'read', title: 'Read answer.json', paths: [path] })
  const text = readFileSync(path, 'utf8')
  turn.endTool(call)
  turn.say(text)
  return turn.done()
}

/** Calls a tool of the first server that the session was given, with what stands in `tool.json`. */
async function callTool(turn: Turn): Promise<void> {
  const { session } = turn
  const [server] = session.mcpServers
  if (server === undefined) throw new Error('the session has no MCP server')
  const { name, arguments: given } = JSON.parse(
    readFileSync(join(session.cwd, 'tool.json'), 'utf8'),
  ) as Parameters<Client['callTool']>[0]
  if (!(await turn.ask({ kind: 'other', title: `bosun: ${name.replace('_', ' ')}` }))) return
  const env = Object.fromEntries(server.env.map((one) => [one.name, one.value]))
  const client = new Client({ name: 'agent', version: '1.0.0' })
  await client.connect(
    new StdioClientTransport({
      command: server.command,
      args: [...server.args],
      env: { PATH: process.env['PATH'] ?? '', ...env },
    }),
  )
  await client.callTool({ name, arguments: given })
  await client.close()
}

export const ANSWERING = {
  /** It answers by a tool, and writes nothing but a remark. */
  answers_by_tool: {
    turn: async (turn: Turn): Promise<TurnEnd> => {
      await callTool(turn)
      turn.say('I have sent it.')
      return turn.done()
    },
  },
  /** It answers by a tool, and does not end its turn before it is cancelled. */
  answers_by_tool_and_goes_on: {
    turn: async (turn: Turn): Promise<TurnEnd> => {
      await callTool(turn)
      turn.say('I look at one more thing. ')
      await turn.cancelled
      return { ...turn.done(), stopReason: 'cancelled' }
    },
  },
  /** It answers by a tool, and does not listen to the end of its turn. */
  answers_by_tool_without_end: {
    turn: async (turn: Turn): Promise<TurnEnd> => {
      await callTool(turn)
      return 'never'
    },
    onCancel: 'ignore' as const,
  },
  /** It looks into a file of its folder, and answers with what stands there. */
  answers: { turn: (turn: Turn) => answer(turn) },
  /** It tries to do more than reading first. */
  oversteps_and_answers: {
    turn: async (turn: Turn): Promise<TurnEnd> => {
      const path = join(turn.session.cwd, 'overstepped.txt')
      const isAllowed = [
        await turn.ask({ kind: 'edit', title: 'Write', paths: [path], rawInput: { path } }),
        await turn.ask({ kind: 'execute', title: 'touch', rawInput: { command: 'touch overstepped.txt' } }),
        await turn.ask({ kind: 'fetch', title: 'Fetch', rawInput: { url: 'https://example.com' } }),
        await turn.ask({ kind: 'read', title: 'Read', paths: ['/etc/passwd'] }),
      ]
      if (isAllowed.some(Boolean)) writeFileSync(path, 'overstepped\n')
      const reads = [
        await turn.ask({ kind: 'read', title: 'Read', paths: [join(turn.session.cwd, 'answer.json')] }),
        await turn.ask({ kind: 'execute', title: 'cat', rawInput: { command: 'cat answer.json | head -3' } }),
      ]
      if (!reads.every(Boolean)) return { error: { code: -32603, message: 'it may not even read' } }
      return answer(turn)
    },
  },
}
