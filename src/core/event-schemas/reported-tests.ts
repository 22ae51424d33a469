/** The results of tests as a worker reports them: a claim, which the gates do not rest on. */
import { z } from 'zod'

const MOST_NAMES = 50
const name = z.string().min(1).max(2000)
const count = z.int().min(0).max(1_000_000)

export const reportedTestsSchema = z
  .strictObject({
    outcome: z.enum(['passed', 'failed']),
    /** What was tested. */
    component: z.string().min(1).max(100).optional(),
    passed: count.optional(),
    failed: count.optional(),
    /** The names of those that fail. */
    failing: z.array(name).max(MOST_NAMES).optional(),
    command: z.string().min(1).max(2000).optional(),
  })
  .meta({ title: 'Test results', description: "What the worker's own test run showed." })
export type ReportedTests = z.infer<typeof reportedTestsSchema>
