import type { z } from 'zod'
import { jsonIn } from '../../lib/text/json.ts'

/** What a text holds as JSON of this schema; null for any other, such as that of a file that was damaged or edited by hand. */
export const jsonOf = <S extends z.ZodType>(schema: S, text: string | null): z.infer<S> | null =>
  text === null ? null : (schema.safeParse(jsonIn(text)).data ?? null)
