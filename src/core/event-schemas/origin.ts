/** How a person's decision came, and from which process: what the daemon saw itself, never what the caller says. */
import { z } from 'zod'

/** `program`: with the user's token, but not one of Bosun's own; `unknown`: from a process that could not be found. */
const VIAS = ['terminal', 'page', 'file', 'channel', 'mcp', 'program', 'unknown'] as const
export type Via = (typeof VIAS)[number]

/** Fields of events; absent in older logs, and where Bosun itself decides in a person's name. */
export const cameFrom = {
  via: z.enum(VIAS).optional(),
  process: z.strictObject({ pid: z.int().positive(), program: z.string() }).optional(),
}

export interface Origin {
  readonly via?: Via | undefined
  readonly process?: { readonly pid: number; readonly program: string } | undefined
}
