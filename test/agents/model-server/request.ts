/** A question to the model, the same whatever wire format it came in. */

export type WireName = 'anthropic' | 'responses' | 'chat' | 'gemini'

export type JsonSchema = { readonly [key: string]: unknown }

/** A tool that the agent offers to the model. */
export interface OfferedTool {
  readonly name: string
  /** Where the wire groups tools: the group it is in. */
  readonly namespace: string | null
  /** A `custom` tool takes one text, a `function` takes an object. */
  readonly form: 'function' | 'custom'
  readonly schema: JsonSchema
}

export interface ToolResult {
  readonly call: string
  readonly text: string
  readonly isError: boolean
}

export interface ModelRequest {
  readonly wire: WireName
  readonly model: string
  readonly isStream: boolean
  /** From the path `/lane/NAME/…`; empty without one. */
  readonly lane: string
  readonly system: string
  /** What was said by text alone, in order. */
  readonly messages: readonly { readonly role: 'user' | 'assistant'; readonly text: string }[]
  readonly results: readonly ToolResult[]
  readonly tools: readonly OfferedTool[]
  /** The schema that the answer must have, where one is demanded. */
  readonly answerSchema: JsonSchema | null
}

export const userText = (request: ModelRequest): string =>
  request.messages
    .filter((message) => message.role === 'user')
    .map((message) => message.text)
    .join('\n')

/** Agents ask for titles, topics and routes on the side, and offer no tools then. */
export const isSideRequest = (request: ModelRequest): boolean => request.tools.length === 0

const DIRECTORY_PATTERNS = [
  /<cwd>(\/[^<]+)<\/cwd>/,
  /(?:working|current|workspace) director(?:y|ies)(?: is)?\W*?:\**[\s`-]*(\/[^\s`'"<>]+)/i,
  /director(?:y|ies)(?: is)?\**:\**[\s`-]*(\/[^\s`'"<>]+)/i,
]

/** The folder the agent works in, as it tells the model; null where it does not. */
export function workingDirectory(request: ModelRequest): string | null {
  const text = `${request.system}\n${userText(request)}`
  for (const pattern of DIRECTORY_PATTERNS) {
    const found = pattern.exec(text)?.[1]
    if (found !== undefined) return found.replace(/[.,;]+$/, '')
  }
  return null
}
