/** The HTTP API in OpenAPI 3.1, made from the table of routes. */
import { z } from 'zod'
import { errorAnswer } from '../src/protocol/error-answer.ts'
import { ROUTES, type RouteDocument } from '../src/protocol/routes.ts'
import { COMPONENTS } from './openapi-components.ts'

interface JsonSchema {
  readonly [key: string]: unknown
}

export interface Operation {
  readonly operationId: string
  readonly summary: string
  readonly parameters: readonly { readonly name: string; readonly in: string }[]
  readonly [key: string]: unknown
}

export interface OpenApi {
  readonly openapi: string
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>
  readonly components: {
    readonly schemas: Readonly<Record<string, JsonSchema>>
    readonly [key: string]: unknown
  }
  readonly [key: string]: unknown
}

const JSON_TYPE = 'application/json'
const IDEMPOTENCY_KEY = {
  name: 'Idempotency-Key',
  in: 'header',
  required: false,
  description:
    'The same key with the same route and body within 24 hours gets the first answer again and changes nothing more.',
  schema: { type: 'string', pattern: String.raw`^[\w.:-]{1,200}$` },
} as const

export function openapiDocument(version: string): OpenApi {
  const schemas = new Map<string, JsonSchema>()
  const paths: Record<string, Record<string, Operation>> = {}
  for (const [name, route] of Object.entries<RouteDocument>(ROUTES)) {
    const [method = '', path = ''] = name.split(' ')
    ;(paths[path] ??= {})[method.toLowerCase()] = operationOf({ method, path, route, schemas })
  }
  const error = reference(errorAnswer, 'output', schemas)
  return {
    openapi: '3.1.0',
    info: {
      title: 'Bosun',
      version,
      description: 'The daemon answers on 127.0.0.1 only. docs/api.md says how to call it.',
    },
    paths,
    components: {
      schemas: Object.fromEntries([...schemas].sort(([a], [b]) => (a < b ? -1 : 1))),
      securitySchemes: {
        user: {
          type: 'http',
          scheme: 'bearer',
          description: 'The token in the state root, or a page session where the route says so.',
        },
        worker: { type: 'http', scheme: 'bearer', description: 'The token of a running attempt.' },
      },
      responses: {
        Error: {
          description: 'What is wrong, and what to do',
          content: { [JSON_TYPE]: { schema: error } },
        },
      },
    },
  }
}

interface Described {
  readonly method: string
  readonly path: string
  readonly route: RouteDocument
  /** The components so far; those that this route needs are added. */
  readonly schemas: Map<string, JsonSchema>
}

function operationOf({ method, path, route, schemas }: Described): Operation {
  const { summary, caller, body, answer, status = 200, content = JSON_TYPE } = route
  const keyed = method === 'POST' && caller !== 'worker' && caller !== 'anybody' ? [IDEMPOTENCY_KEY] : []
  return {
    operationId: operationId(method, path) + (content === JSON_TYPE ? '' : 'Text'),
    summary,
    parameters: [...parametersOf(path, route.query), ...keyed],
    ...(body === undefined
      ? {}
      : {
          requestBody: {
            required: true,
            content: { [JSON_TYPE]: { schema: reference(body, 'input', schemas) } },
          },
        }),
    responses: {
      [String(status)]: {
        description: content === 'text/event-stream' ? 'A message for each event' : 'Done',
        content: { [content]: { schema: reference(answer, 'output', schemas) } },
      },
      default: { $ref: '#/components/responses/Error' },
    },
    security: caller === 'anybody' ? [] : [{ [caller === 'worker' ? 'worker' : 'user']: [] }],
  }
}

/** `getPlansIdGraph` */
function operationId(method: string, path: string): string {
  const words = path.replace(/^\/api\//, '/').match(/\w+/g) ?? ['page']
  return method.toLowerCase() + words.map((word) => word.slice(0, 1).toUpperCase() + word.slice(1)).join('')
}

function parametersOf(path: string, query: z.ZodType | undefined): Operation['parameters'] {
  const inPath = [...path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => ({
    name,
    in: 'path',
    required: true,
    schema: { type: 'string' },
  }))
  if (query === undefined) return inPath
  const { properties = {}, required = [] } = z.toJSONSchema(query, { io: 'input' })
  const inQuery = Object.entries(properties).map(([name, schema]) => ({
    name,
    in: 'query',
    required: required.includes(name),
    schema,
  }))
  return [...inPath, ...inQuery]
}

/** The schema itself, or where it has a name, a reference to its component. */
function reference(schema: z.ZodType, io: 'input' | 'output', schemas: Map<string, JsonSchema>): JsonSchema {
  // Within another document every named schema is a reference, this one too.
  const {
    $schema: _,
    $defs = {},
    properties = {},
  } = z.toJSONSchema(z.object({ it: schema }), {
    io,
    metadata: COMPONENTS,
  })
  for (const [id, definition] of Object.entries($defs))
    addComponent(id.replace(ANY_JSON, 'Json'), definition, schemas)
  return withComponentRefs(properties['it'] as JsonSchema)
}

function addComponent(id: string, definition: JsonSchema, schemas: Map<string, JsonSchema>): void {
  const { id: _, ...rest } = definition
  const component = withComponentRefs(rest)
  const known = schemas.get(id)
  if (known !== undefined && JSON.stringify(known) !== JSON.stringify(component))
    throw new Error(`the document ${id} differs between requests and answers; give each its name`)
  schemas.set(id, component)
}

/** What the only recursive schema, any JSON value, is called where it has no name. */
const ANY_JSON = /__schema\d+/g

/** `#/$defs/X` is `#/components/schemas/X` in OpenAPI. */
function withComponentRefs(schema: JsonSchema): JsonSchema {
  const text = JSON.stringify(schema)
    .replaceAll('"#/$defs/', '"#/components/schemas/')
    .replaceAll(ANY_JSON, 'Json')
  return JSON.parse(text) as JsonSchema
}
