/**
 * What coding agents print as JSON, one object a line: the text that a person would read, and what was used. A reader for
 * each that runs as a plain command where its adapter is not installed. Anything unknown is skipped, never an error.
 */
import { isRecord, jsonIn, type Fields } from '../../lib/text/json.ts'
import {
  NO_AMOUNTS,
  plus,
  reportedTokens,
  reportedUsd,
  sum,
  tokensOf,
  type Amounts,
} from './reported-amounts.ts'

export type OutputFormat = 'claude' | 'codex' | 'pi'

export interface OutputLine {
  /** For people; null where the line is for programs only. */
  readonly text: string | null
  /** Of one answer of the model. With an id, a later line about the same answer replaces it. */
  readonly step?: { readonly id: string | null; readonly used: Amounts }
  /** Of everything so far: it replaces the sum of the steps. */
  readonly total?: Amounts
  readonly model?: string
}

type Reader = (line: Fields) => OutputLine

const NOTHING: OutputLine = { text: null }
const MAX_TEXT = 4000

/** A line that is no JSON object is text as it stands: agents print warnings among their JSON. */
export function readOutputLine(format: OutputFormat, line: string): OutputLine {
  const parsed = line.startsWith('{') ? jsonIn(line) : null
  return isRecord(parsed) ? READERS[format](parsed) : { text: line }
}

/** `claude -p --output-format stream-json --verbose`. Cached tokens are counted apart from the input. */
function readClaude(line: Fields): OutputLine {
  switch (line['type']) {
    case 'assistant': {
      const message = record(line['message'])
      const id = text(message['id'])
      const used = claudeUsage(message['usage'])
      const model = text(message['model'])
      return {
        text: blocks(message['content']),
        ...(used === null ? {} : { step: { id, used } }),
        // An error of the agent itself has a made-up model, as `<synthetic>`.
        ...(model === null || model.startsWith('<') || line['parent_tool_use_id'] ? {} : { model }),
      }
    }
    case 'result': {
      // The result repeats the last answer, unless something went wrong.
      const failed = line['is_error'] === true || line['subtype'] !== 'success'
      const message = text(line['result']) ?? text(record(line['error'])['message']) ?? text(line['subtype'])
      const total = claudeTotal(line)
      return { text: failed ? message : null, ...(total === null ? {} : { total }) }
    }
    default:
      return NOTHING
  }
}

/** The usage of each model counts sub-agents as well; that of the result does not. */
function claudeTotal(line: Fields): Amounts | null {
  const usd = reportedUsd(line['total_cost_usd'])
  const own = claudeUsage(line['usage'])
  const models = Object.values(record(line['modelUsage'])).map((value) => {
    const model = record(value)
    return amountsOf({
      input: model['inputTokens'],
      read: model['cacheReadInputTokens'],
      written: model['cacheCreationInputTokens'],
      out: model['outputTokens'],
    })
  })
  const all = models.reduce(plus, NO_AMOUNTS)
  const most = tokensOf(all) >= tokensOf(own ?? NO_AMOUNTS) ? all : (own ?? NO_AMOUNTS)
  return tokensOf(most) === 0 && usd === null ? null : { ...most, usd }
}

function claudeUsage(value: unknown): Amounts | null {
  if (!isRecord(value)) return null
  return amountsOf({
    input: value['input_tokens'],
    read: value['cache_read_input_tokens'],
    written: value['cache_creation_input_tokens'],
    out: value['output_tokens'],
  })
}

/** Of an agent that counts what its model reads from a cache and writes to it apart from the input. */
function amountsOf(used: {
  readonly input: unknown
  readonly read: unknown
  readonly written: unknown
  readonly out: unknown
}): Amounts {
  const cached = reportedTokens(used.read)
  return {
    in: sum(reportedTokens(used.input), sum(cached, reportedTokens(used.written))),
    out: reportedTokens(used.out),
    cached,
    usd: null,
  }
}

/** `codex exec --json`. Its usage is that of the whole turn, cached tokens within the input. */
function readCodex(line: Fields): OutputLine {
  switch (line['type']) {
    case 'item.completed':
      return { text: codexItem(record(line['item'])) }
    case 'turn.completed': {
      const usage = record(line['usage'])
      const cached = reportedTokens(usage['cached_input_tokens'])
      const [read, out] = [reportedTokens(usage['input_tokens']), reportedTokens(usage['output_tokens'])]
      return { text: null, total: { in: read, out, cached, usd: null } }
    }
    case 'turn.failed':
      return { text: text(record(line['error'])['message']) }
    case 'error':
      return { text: text(line['message']) }
    default:
      return NOTHING
  }
}

function codexItem(item: Fields): string | null {
  switch (item['type']) {
    case 'agent_message':
    case 'reasoning':
      return text(item['text'])
    case 'command_execution':
      return tool('run', item['command'], item['aggregated_output'])
    case 'file_change':
      return tool(
        'edit',
        list(item['changes'])
          .map((change) => text(record(change)['path']) ?? '')
          .join(', '),
      )
    case 'mcp_tool_call':
      return tool(text(item['tool']) ?? 'tool', item['arguments'])
    case 'error':
      return text(item['message'])
    default:
      return null
  }
}

/** `pi -p --mode json`. */
function readPi(line: Fields): OutputLine {
  if (line['type'] !== 'message_end') return NOTHING
  const message = record(line['message'])
  if (message['role'] !== 'assistant') return NOTHING
  const usage = record(message['usage'])
  const used = {
    ...amountsOf({
      input: usage['input'],
      read: usage['cacheRead'],
      written: usage['cacheWrite'],
      out: usage['output'],
    }),
    usd: reportedUsd(record(usage['cost'])['total']),
  }
  const model = text(message['model'])
  return {
    text: blocks(message['content']) ?? text(message['errorMessage']),
    step: { id: null, used },
    ...(model === null ? {} : { model }),
  }
}

const READERS: Readonly<Record<OutputFormat, Reader>> = {
  claude: readClaude,
  codex: readCodex,
  pi: readPi,
}

/** The text and the tool calls of an answer. */
function blocks(content: unknown): string | null {
  if (typeof content === 'string') return text(content)
  const parts = list(content).flatMap((value) => {
    const block = record(value)
    const name = text(block['name'])
    const isCall = name !== null && String(block['type']).toLowerCase().includes('tool')
    return (isCall ? tool(name, block['input'] ?? block['arguments']) : text(block['text'])) ?? []
  })
  return parts.length === 0 ? null : parts.join('\n')
}

/** `[run] npm test`, and the end of what it answered. */
function tool(name: string, input: unknown, output: unknown = ''): string {
  const asked = typeof input === 'string' ? input : JSON.stringify(input ?? '')
  const answered = text(output)
  return `[${name}] ${asked.slice(0, MAX_TEXT)}${answered === null ? '' : `\n${answered.slice(-MAX_TEXT)}`}`
}

const record = (value: unknown): Fields => (isRecord(value) ? value : {})
const list = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : [])
const text = (value: unknown): string | null =>
  typeof value === 'string' && value.trim() !== '' ? value : null
