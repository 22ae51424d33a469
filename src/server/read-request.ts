/** Parses the body or the query of a request and checks it against its schema. */
import { z } from 'zod'
import { Refusal } from '../lib/refusal.ts'
import type { Call } from './routing.ts'

/** The guard has checked content type and length. */
export async function readBody<S extends z.ZodType>(c: Call, schema: S): Promise<z.output<S>> {
  return checked(schema, parsedJson(await bodyOf(c)))
}

/** Without a schema, for callers with checks of their own. */
export async function readJson(c: Call): Promise<unknown> {
  return parsedJson(await bodyOf(c))
}

/** A caller that hangs up early does not get the response. */
async function bodyOf(c: Call): Promise<string> {
  try {
    return await c.text()
  } catch (cause) {
    throw new Refusal({
      code: 'usage',
      message: 'the body is incomplete',
      remedy: 'Send the whole body.',
      cause,
    })
  }
}

export function readQuery<S extends z.ZodType>(c: Call, schema: S): z.output<S> {
  return checked(schema, c.query())
}

export function parsedJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch (cause) {
    throw new Refusal({
      code: 'usage',
      message: 'the body is not JSON',
      remedy: 'Send one JSON object.',
      cause,
    })
  }
}

function checked<S extends z.ZodType>(schema: S, value: unknown): z.output<S> {
  const result = schema.safeParse(value)
  if (result.success) return result.data
  const [issue] = result.error.issues
  const key = issue?.path.join('.') ?? ''
  const message = `${key === '' ? 'the request' : key}: ${issue?.message ?? 'is invalid'}`
  throw new Refusal({ code: 'usage', message, remedy: 'Correct the request.', cause: result.error })
}
