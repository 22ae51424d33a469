/** What a request was understood as before its interview began, as the user saw and corrected it. */
import { z } from 'zod'
import { SCOPES } from '../choice/choose-agent.ts'
import { WORK_TYPES } from '../intake/intake.ts'
import { WORKFLOW_NAMES } from '../intake/workflows.ts'
import type { DeepReadonly } from '../planning/task-schema.ts'

const texts = () => z.array(z.string())

const schema = () =>
  z.object({
    type: z.enum(WORK_TYPES).nullable(),
    scope: z.enum(SCOPES).nullable(),
    workflow: z.enum(WORKFLOW_NAMES).nullable(),
    title: z.string().nullable(),
    /** Null where only the user decided. */
    understood: z
      .object({
        /** Provider and model; null where no model judged. */
        judged_by: z.string().nullable(),
        criteria: texts(),
        files: z.object({ create: texts(), modify: texts() }),
        tests_to_add: texts(),
        constraints: texts(),
        out_of_scope: texts(),
        /** What the user answered before the interview. */
        answers: z.array(z.object({ question: z.string(), answer: z.string() })),
        /** What a model asked, and nobody has answered yet. */
        open: z.array(z.object({ question: z.string(), options: texts() })),
      })
      .nullable(),
  })
export type BegunWith = DeepReadonly<z.infer<ReturnType<typeof schema>>>

export const begunWith = (): z.ZodType<BegunWith> => schema()
