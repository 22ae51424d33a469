/** What a task or a worker has changed. */
import { z } from 'zod'
import type { Wire } from './answers.ts'

/** `GET /api/tasks/{id}/diff` and `GET /api/workers/{id}/diff` */
export const diffAnswer = z.strictObject({
  /** What the patch is of: what landed, what would land, or what a worker has written so far. */
  of: z.enum(['landed', 'proposed', 'so_far', 'nothing']),
  base: z.string().nullable(),
  head: z.string().nullable(),
  files: z.array(
    z.strictObject({
      path: z.string(),
      /** Its former path, where it was renamed. */
      from: z.string().nullable(),
      change: z.enum(['added', 'modified', 'deleted', 'renamed']),
      added: z.int().nonnegative(),
      removed: z.int().nonnegative(),
      binary: z.boolean(),
    }),
  ),
  /** In git's unified form. */
  patch: z.string(),
  /** Whether the patch was cut; `command` shows it whole. */
  is_cut: z.boolean(),
  command: z.string().nullable(),
  /** Findings of gates and reviewers that name a line. */
  notes: z.array(
    z.strictObject({
      path: z.string(),
      line: z.int().positive().nullable(),
      by: z.string(),
      blocks: z.boolean(),
      /** It is about the work of an earlier attempt: its line may be another one in this patch. */
      earlier: z.boolean(),
      text: z.string(),
    }),
  ),
})
export type DiffAnswer = Wire<typeof diffAnswer>
