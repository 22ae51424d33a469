/**
 * What coding agents print as JSON, one object a line: the text that a person would read, and what was used. One reader
 * for each format. Anything unknown is skipped, never an error.
 */
import { isRecord } from './lenient.ts'
import { reportedTokens, reportedUsd } from './reported-amounts.ts'

export type OutputFormat = 'claude' | 'qwen' | 'codex' | 'opencode' | 'gemini' | 'goose' | 'pi'

export interface Amounts {
  readonly in: number | null
  readonly out: number | null
  readonly cached: number | null
  readonly usd: number | null
}

export interface OutputLine {
  /** For people; null where the line is for programs only. */
  readonly text: string | null
  /** Of one answer of the model. With an id, a later line about the same answer replaces it. */
  readonly step?: { readonly id: string | null; readonly used: Amounts }
  /** Of everything so far: it replaces the sum of the steps. */
  readonly total?: Amounts
  readonly model?: string
}

type Fields = Readonly<Record<string, unknown>>
type Reader = (line: Fields) => OutputLine

const NOTHING: OutputLine = { text: null }
const MAX_TEXT = 4000

/** A line that is no JSON object is text as it stands: agents print warnings among their JSON. */
export function readOutputLine(format: OutputFormat, line: string): OutputLine {
  if (!line.startsWith('{')) return { text: line }
  let parsed: unknown
  try {
    parsed = JSON.parse(line)
  } catch {
    return { text: line }
  }
  return isRecord(parsed) ? READERS[format](parsed) : { text: line }
}

/** `claude -p --output-format stream-json --verbose`. */
const readClaude = (line: Fields): OutputLine => readAnthropic(line, 'apart')

/** `qwen -o stream-json` prints the same, but for cached tokens. */
const readQwen = (line: Fields): OutputLine => readAnthropic(line, 'within')

/** Whether cached tokens are counted within the input, or apart from it. */
type Cached = 'apart' | 'within'

function readAnthropic(line: Fields, counted: Cached): OutputLine {
  switch (line['type']) {
    case 'assistant': {
      const message = record(line['message'])
      const id = text(message['id'])
      const used = anthropicUsage(message['usage'], counted)
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
      const total = anthropicTotal(line, counted)
      return { text: failed ? message : null, ...(total === null ? {} : { total }) }
    }
    default:
      return NOTHING
  }
}

/** The usage of each model counts sub-agents as well; that of the result does not. */
function anthropicTotal(line: Fields, counted: Cached): Amounts | null {
  const usd = reportedUsd(line['total_cost_usd'])
  const own = anthropicUsage(line['usage'], counted)
  const models = Object.values(record(line['modelUsage'])).map((value) => {
    const model = record(value)
    const cached = reportedTokens(model['cacheReadInputTokens'])
    const read = sum(cached, reportedTokens(model['cacheCreationInputTokens']))
    return {
      in: sum(reportedTokens(model['inputTokens']), read),
      out: reportedTokens(model['outputTokens']),
      cached,
      usd: null,
    }
  })
  const all = models.reduce(plus, NO_AMOUNTS)
  const most = tokensOf(all) >= tokensOf(own ?? NO_AMOUNTS) ? all : (own ?? NO_AMOUNTS)
  return tokensOf(most) === 0 && usd === null ? null : { ...most, usd }
}

function anthropicUsage(value: unknown, counted: Cached): Amounts | null {
  if (!isRecord(value)) return null
  const cached = reportedTokens(value['cache_read_input_tokens'])
  const read = counted === 'within' ? null : sum(cached, reportedTokens(value['cache_creation_input_tokens']))
  return {
    in: sum(reportedTokens(value['input_tokens']), read),
    out: reportedTokens(value['output_tokens']),
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
      return {
        text: null,
        total: {
          in: reportedTokens(usage['input_tokens']),
          out: reportedTokens(usage['output_tokens']),
          cached,
          usd: null,
        },
      }
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

/** `opencode run --format json`. */
function readOpencode(line: Fields): OutputLine {
  const part = record(line['part'])
  switch (line['type']) {
    case 'text':
    case 'reasoning':
      return { text: text(part['text']) }
    case 'tool_use': {
      const state = record(part['state'])
      return { text: tool(text(part['tool']) ?? 'tool', state['input'], state['output']) }
    }
    case 'step_finish': {
      const tokens = record(part['tokens'])
      const cache = record(tokens['cache'])
      const cached = reportedTokens(cache['read'])
      const used = {
        in: sum(reportedTokens(tokens['input']), sum(cached, reportedTokens(cache['write']))),
        out: sum(reportedTokens(tokens['output']), reportedTokens(tokens['reasoning'])),
        cached,
        usd: reportedUsd(part['cost']),
      }
      return { text: null, step: { id: text(part['id']), used } }
    }
    case 'error': {
      const error = record(line['error'])
      return { text: text(record(error['data'])['message']) ?? text(error['message']) ?? text(error['name']) }
    }
    default:
      return NOTHING
  }
}

/** `gemini -o stream-json`. */
function readGemini(line: Fields): OutputLine {
  switch (line['type']) {
    case 'init': {
      const model = text(line['model'])
      return model === null ? NOTHING : { text: null, model }
    }
    case 'message':
      return line['role'] === 'assistant' ? { text: text(line['content']) } : NOTHING
    case 'tool_use':
      return { text: tool(text(line['tool_name']) ?? 'tool', line['parameters']) }
    case 'tool_result':
      return line['status'] === 'error'
        ? { text: text(line['output']) ?? text(record(line['error'])['message']) }
        : NOTHING
    case 'error':
      return { text: text(line['message']) }
    case 'result': {
      const stats = record(line['stats'])
      const cached = reportedTokens(stats['cached'])
      const total = {
        in: reportedTokens(stats['input_tokens']),
        out: reportedTokens(stats['output_tokens']),
        cached,
        usd: null,
      }
      const error = record(line['error'])
      return { text: text(error['message']), ...(tokensOf(total) === 0 ? {} : { total }) }
    }
    default:
      return NOTHING
  }
}

/** `goose run --output-format stream-json`. Only the sum of its tokens is known, most of which are input. */
function readGoose(line: Fields): OutputLine {
  switch (line['type']) {
    case 'message': {
      const message = record(line['message'])
      return message['role'] === 'assistant' ? { text: blocks(message['content']) } : NOTHING
    }
    case 'error':
      return { text: text(line['error']) ?? text(line['message']) }
    case 'complete': {
      const [tokensIn, tokensOut] = [
        reportedTokens(line['input_tokens']),
        reportedTokens(line['output_tokens']),
      ]
      if (tokensIn !== null || tokensOut !== null)
        return { text: null, total: { ...NO_AMOUNTS, in: tokensIn, out: tokensOut } }
      const all = reportedTokens(line['total_tokens'])
      return all === null ? NOTHING : { text: null, total: { ...NO_AMOUNTS, in: all } }
    }
    default:
      return NOTHING
  }
}

/** `pi -p --mode json`. */
function readPi(line: Fields): OutputLine {
  if (line['type'] !== 'message_end') return NOTHING
  const message = record(line['message'])
  if (message['role'] !== 'assistant') return NOTHING
  const usage = record(message['usage'])
  const cached = reportedTokens(usage['cacheRead'])
  const used = {
    in: sum(reportedTokens(usage['input']), sum(cached, reportedTokens(usage['cacheWrite']))),
    out: reportedTokens(usage['output']),
    cached,
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
  qwen: readQwen,
  codex: readCodex,
  opencode: readOpencode,
  gemini: readGemini,
  goose: readGoose,
  pi: readPi,
}

/** The text and the tool calls of an answer. */
function blocks(content: unknown): string | null {
  if (typeof content === 'string') return text(content)
  const parts = list(content).flatMap((value) => {
    const block = record(value)
    const called = record(record(block['toolCall'])['value'])
    const name = text(block['name']) ?? text(called['name'])
    const isCall = name !== null && String(block['type']).toLowerCase().includes('tool')
    return (
      (isCall
        ? tool(name, block['input'] ?? block['arguments'] ?? called['arguments'])
        : text(block['text'])) ?? []
    )
  })
  return parts.length === 0 ? null : parts.join('\n')
}

/** `[run] npm test`, and the end of what it answered. */
function tool(name: string, input: unknown, output: unknown = ''): string {
  const asked = typeof input === 'string' ? input : JSON.stringify(input ?? '')
  const answered = text(output)
  return `[${name}] ${asked.slice(0, MAX_TEXT)}${answered === null ? '' : `\n${answered.slice(-MAX_TEXT)}`}`
}

export const NO_AMOUNTS: Amounts = { in: null, out: null, cached: null, usd: null }

export const plus = (a: Amounts, b: Amounts): Amounts => ({
  in: sum(a.in, b.in),
  out: sum(a.out, b.out),
  cached: sum(a.cached, b.cached),
  usd: sum(a.usd, b.usd),
})

export const tokensOf = (amounts: Amounts): number => (amounts.in ?? 0) + (amounts.out ?? 0)

const sum = (a: number | null, b: number | null): number | null => (a === null ? b : b === null ? a : a + b)
const record = (value: unknown): Fields => (isRecord(value) ? value : {})
const list = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : [])
const text = (value: unknown): string | null =>
  typeof value === 'string' && value.trim() !== '' ? value : null
