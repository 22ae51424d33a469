/** Schemas of integration results, and of the diagnosis that finds the commit that broke a test. */
import { z } from 'zod'
import { runEvidenceSchema } from '../event-schemas/evidence.ts'

/** Null where it was not printed, or is not a finite number. */
const values = z.record(z.string(), z.number().nullable())
const outcome = z.enum(['passed', 'failed', 'inconclusive'])

export const integrationResultSchema = z.lazy(() =>
  z.strictObject({
    id: z.string().min(1),
    outcome,
    /** The reason, on one line. */
    output: z.string(),
    values,
    /** Null where nothing was run. */
    run: runEvidenceSchema.nullable(),
  }),
)
export type IntegrationResult = z.infer<typeof integrationResultSchema>

/** The outcome of a test at one commit of the plan. */
export const probeSchema = z.lazy(() =>
  z.strictObject({
    /** Null for the start commit. */
    task: z.string().min(1).nullable(),
    sha: z.string(),
    outcome,
    output: z.string(),
    values,
  }),
)
export type Probe = z.infer<typeof probeSchema>

export const diagnosisSchema = z.lazy(() =>
  z.strictObject({
    test: z.string().min(1),
    /** The task whose commit made it fail; null where that is not known. */
    culprit: z.string().min(1).nullable(),
    words: z.string(),
    /** In the order the commits landed. */
    probes: z.array(probeSchema),
  }),
)
export type Diagnosis = z.infer<typeof diagnosisSchema>
