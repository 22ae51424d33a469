/** The JSON Schemas of docs/schemas, generated from the schemas in the code. */
import { z } from 'zod'
import { askedRequestSchema } from '../../src/core/watch/requests/asked-request.ts'
import * as files from '../../src/core/watch/checkins/coordination-files.ts'
import { checkinFileSchema, checkinSchema } from '../../src/core/watch/checkins/checkin.ts'

/** File name → its schema. */
export const PUBLISHED: Readonly<Record<string, z.ZodType>> = {
  'checkin.schema.json': checkinSchema,
  'checkin-file.schema.json': checkinFileSchema,
  'request.schema.json': askedRequestSchema,
  'request-file.schema.json': files.requestFileSchema,
  'alert.schema.json': files.alertSchema,
  'alert-answer.schema.json': files.alertAnswerSchema,
  'worker-spec.schema.json': files.workerSpecSchema,
  'pm-state.schema.json': files.pmStateSchema,
  'activity-line.schema.json': files.activityLineSchema,
}

export const schemaDocument = (schema: z.ZodType): string =>
  `${JSON.stringify(z.toJSONSchema(schema, { io: 'input' }), null, 2)}\n`
