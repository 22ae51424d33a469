/** A tool of Bosun's MCP server. Every name, key and description costs its readers tokens, so all are short. */
import type { z } from 'zod'

export interface Tool {
  readonly name: string
  readonly description: string
  readonly input: z.ZodObject
  /** True if it changes nothing. */
  readonly isReadOnly: boolean
  /** Called with what `input` has checked. Throws refusals, which reach the caller as errors of the tool. */
  call(input: unknown): Promise<ToolAnswer>
}

export interface ToolAnswer {
  readonly text: string
  readonly isError?: boolean
}

/** Gives `call` the type of its input. */
export function tool<S extends z.ZodObject>(definition: {
  readonly name: string
  readonly description: string
  readonly input: S
  readonly isReadOnly?: boolean
  call(input: z.output<S>): Promise<ToolAnswer>
}): Tool {
  const { name, description, input, isReadOnly = false } = definition
  return {
    name,
    description,
    input,
    isReadOnly,
    call: (given) => definition.call(given as z.output<S>),
  }
}
