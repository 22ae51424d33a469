/** The body or the query of a request, checked against its schema. Only here is anything parsed. */
import type { Context } from 'hono'
import { z } from 'zod'
import { Refusal } from '../lib/refusal.ts'

/** The guard has seen to it that the body is JSON by name, and not too long. */
export async function readBody<S extends z.ZodType>(c: Context, schema: S): Promise<z.output<S>> {
  return checked(schema, parsedJson(await bodyOf(c)))
}

/** As it is, for whoever checks it. */
export async function readJson(c: Context): Promise<unknown> {
  return parsedJson(await bodyOf(c))
}

/** Whoever hangs up before it is whole has nobody left to hear the answer. */
async function bodyOf(c: Context): Promise<string> {
  try {
    return await c.req.text()
  } catch (cause) {
    throw new Refusal({
      code: 'usage',
      message: 'the body was cut short',
      remedy: 'Send it whole.',
      cause,
    })
  }
}

export function readQuery<S extends z.ZodType>(c: Context, schema: S): z.output<S> {
  return checked(schema, c.req.query())
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
  const message = `${key === '' ? 'the request' : key}: ${issue?.message ?? 'it is not as expected'}`
  throw new Refusal({ code: 'usage', message, remedy: 'Check the request.', cause: result.error })
}
