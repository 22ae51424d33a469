/** From what the model wants done to a call of a tool that the agent offers. Agents name tools and arguments differently. */
import { isAbsolute, join } from 'node:path'
import { asSchema, fillRequired, propertiesOf, typeOf } from './fill-schema.ts'
import { workingDirectory, type JsonSchema, type ModelRequest, type OfferedTool } from './request.ts'
import type { Intention } from './script.ts'

export interface ToolCall {
  readonly tool: OfferedTool
  /** A text for a `custom` tool. */
  readonly input: Readonly<Record<string, unknown>> | string
}

type FileIntention = Extract<Intention, { kind: 'write' | 'edit' | 'read' }>

const NAMES = {
  write: /^(write|write_?file|create_?file|write_text_file)$/i,
  edit: /^(edit|replace|str_replace|edit_?file|search_replace)$/i,
  read: /^(read|read_?file|view|read_text_file)$/i,
  run: /^(bash|shell|shell_command|exec_command|run_shell_command|execute_command|run_command|terminal)$/i,
  patch: /^apply_patch$/i,
} as const
const EDITOR = /(^|_)(text_editor|str_replace_based_edit_tool|str_replace_editor)$/i

const PROPERTIES = {
  path: /^(file_?path|absolute_?path|path|target_file|file_?name)$/i,
  content: /^(contents?|file_text|text|new_content)$/i,
  command: /^(command|cmd|script)$/i,
  from: /^(old_?(string|text|str)|before|search)$/i,
  to: /^(new_?(string|text|str)|after|replace)$/i,
} as const

/** Null where no offered tool can do it. */
export function chooseTool(intention: Intention, request: ModelRequest): ToolCall | null {
  const { tools } = request
  switch (intention.kind) {
    case 'call':
      return callOf(intention, tools)
    case 'run':
      return runIn(tools, intention.command)
    case 'write':
    case 'edit':
    case 'read': {
      const folder = workingDirectory(request)
      const path =
        folder === null || isAbsolute(intention.path) ? intention.path : join(folder, intention.path)
      return onFile({ ...intention, path }, tools)
    }
  }
}

const onFile = (intention: FileIntention, tools: readonly OfferedTool[]): ToolCall | null =>
  byOwnTool(intention, tools) ??
  byEditor(intention, tools) ??
  byPatch(intention, tools) ??
  runIn(tools, asCommand(intention))

function byOwnTool(intention: FileIntention, tools: readonly OfferedTool[]): ToolCall | null {
  for (const tool of named(tools, NAMES[intention.kind])) {
    const path = property(tool.schema, PROPERTIES.path)
    const rest = path === null ? null : restOf(intention, tool.schema)
    if (path !== null && rest !== null) return callWith(tool, { [path]: intention.path, ...rest })
  }
  return null
}

/** The arguments besides the path; null where the tool does not take them. */
function restOf(intention: FileIntention, schema: JsonSchema): Readonly<Record<string, unknown>> | null {
  switch (intention.kind) {
    case 'read':
      return {}
    case 'write': {
      const content = property(schema, PROPERTIES.content)
      return content === null ? null : { [content]: intention.text }
    }
    case 'edit': {
      const edits = propertiesOf(schema)['edits']
      const pair = pairOf(intention, edits === undefined ? schema : asSchema(edits['items']))
      return edits === undefined || pair === null ? pair : { edits: [pair] }
    }
  }
}

function pairOf(
  { from, to }: Extract<Intention, { kind: 'edit' }>,
  schema: JsonSchema,
): Readonly<Record<string, unknown>> | null {
  const [old, next] = [property(schema, PROPERTIES.from), property(schema, PROPERTIES.to)]
  return old === null || next === null ? null : { [old]: from, [next]: to }
}

/** One tool with sub-commands, of the form that Anthropic defined. */
function byEditor(intention: FileIntention, tools: readonly OfferedTool[]): ToolCall | null {
  const [tool] = tools.filter(({ name }) => EDITOR.test(name))
  if (tool === undefined) return null
  const choices = propertiesOf(tool.schema)['command']?.['enum']
  const create = Array.isArray(choices) && choices.includes('create') ? 'create' : 'write'
  switch (intention.kind) {
    case 'write':
      return callWith(tool, { command: create, path: intention.path, file_text: intention.text })
    case 'edit':
      return callWith(tool, {
        command: 'str_replace',
        path: intention.path,
        old_str: intention.from,
        new_str: intention.to,
      })
    case 'read':
      return callWith(tool, { command: 'view', path: intention.path })
  }
}

function byPatch(intention: FileIntention, tools: readonly OfferedTool[]): ToolCall | null {
  const [tool] = named(tools, NAMES.patch)
  if (tool === undefined || intention.kind === 'read') return null
  const patch = patchOf(intention)
  return tool.form === 'custom'
    ? { tool, input: patch }
    : callWith(tool, { [property(tool.schema, /^(input|patch)$/i) ?? 'input']: patch })
}

function patchOf(intention: Exclude<FileIntention, { kind: 'read' }>): string {
  const lines = (sign: string, text: string) =>
    text
      .replace(/\n$/, '')
      .split('\n')
      .map((line) => `${sign}${line}`)
  const body =
    intention.kind === 'write'
      ? [`*** Add File: ${intention.path}`, ...lines('+', intention.text)]
      : [
          `*** Update File: ${intention.path}`,
          '@@',
          ...lines('-', intention.from),
          ...lines('+', intention.to),
        ]
  return ['*** Begin Patch', ...body, '*** End Patch', ''].join('\n')
}

function asCommand(intention: FileIntention): string {
  const path = quoted(intention.path)
  switch (intention.kind) {
    case 'read':
      return `cat ${path}`
    case 'write':
      return `mkdir -p "$(dirname ${path})" && printf %s ${quoted(intention.text)} > ${path}`
    case 'edit':
      return `FROM=${quoted(intention.from)} TO=${quoted(intention.to)} perl -0pi -e 's/\\Q$ENV{FROM}\\E/$ENV{TO}/' ${path}`
  }
}

function runIn(tools: readonly OfferedTool[], command: string): ToolCall | null {
  for (const tool of named(tools, NAMES.run)) {
    const name = property(tool.schema, PROPERTIES.command)
    if (tool.form !== 'function' || name === null) continue
    const isList = typeOf(propertiesOf(tool.schema)[name] ?? {}) === 'array'
    return callWith(tool, { [name]: isList ? ['bash', '-c', command] : command })
  }
  return null
}

function callOf(
  { tool: wanted, input }: Extract<Intention, { kind: 'call' }>,
  tools: readonly OfferedTool[],
): ToolCall | null {
  const exact = tools.find(({ name }) => name === wanted)
  const tool =
    exact ?? tools.find(({ name }) => ['_', '-', '.', '/'].some((sign) => name.endsWith(sign + wanted)))
  return tool === undefined ? null : { tool, input }
}

const callWith = (tool: OfferedTool, given: Readonly<Record<string, unknown>>): ToolCall => ({
  tool,
  input: fillRequired(tool.schema, given),
})

/** By the last part of the name: extensions put their own before it. */
const named = (tools: readonly OfferedTool[], pattern: RegExp): readonly OfferedTool[] =>
  tools.filter(({ name }) => pattern.test(name.split('__').at(-1) ?? name))

const property = (schema: JsonSchema, pattern: RegExp): string | null =>
  Object.keys(propertiesOf(schema)).find((name) => pattern.test(name)) ?? null

const quoted = (text: string): string => `'${text.replaceAll("'", `'\\''`)}'`
