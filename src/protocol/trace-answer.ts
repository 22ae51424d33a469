/** Requirements with what was made of them, as the daemon answers. */
import { z } from 'zod'
import { taskRow, type Wire } from './answers.ts'

const strings = z.array(z.string())

export const traceAnswer = z.strictObject({
  plan: z.string(),
  repo: z.string(),
  requirements: z.array(
    z.strictObject({
      id: z.string(),
      /** Null where the plan does not contain its spec. */
      title: z.string().nullable(),
      tasks: z.array(
        z.strictObject({
          id: z.string(),
          story: z.string().nullable(),
          title: z.string(),
          status: taskRow.shape.status,
          tests: strings,
          /** Null before they were judged, and without tests. */
          tests_pass: z.boolean().nullable(),
          criteria_total: z.int().nonnegative(),
          criteria_confirmed: z.int().nonnegative(),
          commit_sha: z.string().nullable(),
        }),
      ),
    }),
  ),
})
export type TraceAnswer = Wire<typeof traceAnswer>
