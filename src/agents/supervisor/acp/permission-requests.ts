/** Answers an agent's requests for permission: by the worker's policy, and where that says `ask`, once Bosun has an answer. */
import { isAbsolute, join } from 'node:path'
import {
  decidePermission,
  SHOWN_COMMAND,
  MOST_PATHS,
  optionFor,
  type PermissionPolicy,
  type PermissionRequest,
} from '../../../core/crew/permission-policy.ts'
import { isRecord, type Fields } from '../../../lib/text/json.ts'
import { realPath } from './client-files.ts'
import type { SessionLog } from './session-log.ts'
import type { PermissionParams, ToolCallPart } from './updates.ts'

/** As the protocol has it. */
type Outcome = { readonly outcome: 'cancelled' } | { readonly outcome: 'selected'; readonly optionId: string }

/** Questions that may wait for a person at once, and in all. Further ones are denied. */
const MOST_WAITING = 4
const MOST_QUESTIONS = 30
/** Answered requests of one session; an agent that asks more often does nothing else. */
const MOST_REQUESTS = 2000
/** A question without an answer is denied. */
const WAIT_MS = 4 * 3_600_000

type Decision = 'allow' | 'deny' | 'cancelled'

export interface AnsweredRequest {
  readonly outcome: Outcome
  /** What was not allowed, and why; null where it was. */
  readonly refused: string | null
}

export class PermissionRequests {
  readonly #policy: PermissionPolicy
  readonly #log: SessionLog
  readonly #waiting = new Map<string, (decision: Decision) => void>()
  #asked = 0
  #questions = 0

  constructor(policy: PermissionPolicy, log: SessionLog) {
    this.#policy = policy
    this.#log = log
  }

  get isWaiting(): boolean {
    return this.#waiting.size > 0
  }

  /** `known` is what is known of the tool call from before: some agents ask without saying what for. */
  async ask(
    { toolCall, options }: PermissionParams,
    known: ToolCallPart | null,
    signal: AbortSignal,
  ): Promise<AnsweredRequest> {
    if (++this.#asked > MOST_REQUESTS) {
      if (this.#asked === MOST_REQUESTS + 1)
        this.#log.error(`more than ${MOST_REQUESTS} permission requests: all are denied`)
      return { outcome: outcomeOf(options, 'deny'), refused: 'too many requests for permission' }
    }
    const id = `p${this.#asked}`
    const request = await requestOf(toolCall, known, this.#policy.roots[0] ?? '/')
    const answer = decidePermission(request, this.#policy)
    const isTooMany = this.#waiting.size >= MOST_WAITING || this.#questions >= MOST_QUESTIONS
    const { decision, why } =
      answer.decision === 'ask' && isTooMany
        ? ({ decision: 'deny', why: `too many questions: ${answer.why}` } as const)
        : answer
    const { kind, title, paths, command } = request
    this.#log.fact(
      { kind: 'permission_asked', id, tool: kind, title, paths, command, decision, why },
      {
        call: id,
        text: command ?? `${kind} ${paths.join(', ') || title}`.trim(),
        outcome: decision,
        detail: why,
      },
    )
    if (decision === 'ask') this.#questions++
    const [given, by] = decision === 'ask' ? await this.#wait(id, signal) : ([decision, 'policy'] as const)
    this.#log.fact(
      { kind: 'permission_answered', id, outcome: given, by },
      { call: id, text: `by ${by}`, outcome: given },
    )
    const refused = given === 'allow' ? null : `${command ?? title} (${why})`
    return { outcome: outcomeOf(options, given), refused }
  }

  /** A person's answer. Ignored where the request no longer waits. */
  answer(id: string, decision: 'allow' | 'deny'): void {
    this.#waiting.get(id)?.(decision)
  }

  /** The turn was cancelled: the protocol wants its requests answered so. */
  cancel(): void {
    for (const settle of this.#waiting.values()) settle('cancelled')
  }

  async #wait(id: string, signal: AbortSignal): Promise<[Decision, 'person' | 'supervisor']> {
    const { promise, resolve } = Promise.withResolvers<[Decision, 'person' | 'supervisor']>()
    const timer = setTimeout(() => resolve(['deny', 'supervisor']), WAIT_MS)
    const onAbort = (): void => resolve(['cancelled', 'supervisor'])
    signal.addEventListener('abort', onAbort, { once: true })
    this.#waiting.set(id, (decision) =>
      resolve([decision, decision === 'cancelled' ? 'supervisor' : 'person']),
    )
    try {
      return await promise
    } finally {
      clearTimeout(timer)
      signal.removeEventListener('abort', onAbort)
      this.#waiting.delete(id)
    }
  }
}

function outcomeOf(options: PermissionParams['options'], decision: Decision): Outcome {
  if (decision === 'cancelled') return { outcome: 'cancelled' }
  const offered = options.map(({ optionId, kind }) => ({ id: optionId, kind }))
  const optionId = optionFor(offered, decision)
  return optionId === null ? { outcome: 'cancelled' } : { outcome: 'selected', optionId }
}

async function requestOf(
  asked: ToolCallPart,
  known: ToolCallPart | null,
  workspace: string,
): Promise<PermissionRequest> {
  const kind = asked.kind ?? known?.kind ?? 'other'
  const title = asked.title ?? known?.title ?? ''
  const inputs = [asked.rawInput, known?.rawInput].filter(isRecord)
  const command =
    inputs.map(commandIn).find((one) => one !== null) ?? (kind === 'execute' && title !== '' ? title : null)
  const named = [
    ...[...asked.locations, ...(known?.locations ?? [])].map(({ path }) => path),
    ...[...asked.content, ...(known?.content ?? [])].flatMap((one) => ('path' in one ? [one.path] : [])),
    ...inputs.flatMap(pathsIn),
  ]
  const paths = await Promise.all(
    [...new Set(named)]
      .slice(0, MOST_PATHS)
      .map((path) => realPath(isAbsolute(path) ? path : join(workspace, path)).catch(() => path)),
  )
  return {
    kind,
    title,
    paths,
    command: command?.slice(0, SHOWN_COMMAND) ?? null,
    isBosunTool: isBosunTool({ kind, title, command }, inputs),
  }
}

/** The field names that agents use for a command line. */
function commandIn(input: Fields): string | null {
  for (const field of ['command', 'cmd', 'script']) {
    const value = input[field]
    if (typeof value === 'string' && value !== '') return value
    if (Array.isArray(value) && value.length > 0) return value.map(String).join(' ')
  }
  return null
}

const PATH_FIELDS = [
  'path',
  'file_path',
  'filePath',
  'absolute_path',
  'abs_path',
  'notebook_path',
  'file',
  'dir',
  'directory',
]

const pathsIn = (input: Fields): readonly string[] =>
  PATH_FIELDS.flatMap((field) => {
    const value = input[field]
    return typeof value === 'string' && value !== '' && value.length <= 4096 ? [value] : []
  })

/**
 * Of Bosun's MCP server, as agents name its tools: `mcp__bosun__checkin`, `bosun_checkin`, `bosun.checkin`, `bosun: checkin`,
 * `checkin (bosun MCP Server)`.
 */
const TOOL =
  '(?:report[_ ]to[_ ]pm|checkin|request[_ ]help|get[_ ]instructions|spec[_ ]feedback|submit[_ ]stories)'
const BOSUN_TOOL = new RegExp(
  `(?:^|[^a-z])bosun(?:__|_|[./]|: ?)${TOOL}\\b|\\b${TOOL} \\(bosun MCP Server\\)`,
  'i',
)

function isBosunTool(
  { kind, title, command }: Pick<PermissionRequest, 'kind' | 'title' | 'command'>,
  inputs: readonly Fields[],
): boolean {
  if (command !== null || ['execute', 'edit', 'delete', 'move', 'read'].includes(kind)) return false
  return (
    BOSUN_TOOL.test(title) ||
    inputs.some((input) => input['server'] === 'bosun' || input['serverName'] === 'bosun')
  )
}
