/**
 * What OpenAPI 3.1.0 and JSON Schema 2020-12 allow, as far as Bosun's document uses them: every object is closed, so that a
 * keyword that neither of them knows is found. What may stand where is from https://spec.openapis.org/oas/v3.1.0.
 */
import { z } from 'zod'

const text = z.string().min(1)
const described = { description: text.optional() }
const TYPES = ['string', 'number', 'integer', 'boolean', 'null', 'array', 'object'] as const
const count = z.int().min(0)
const pattern = z.string().refine((source) => {
  try {
    return new RegExp(source, 'u') instanceof RegExp
  } catch {
    return false
  }
}, 'is not a regular expression')

export const jsonSchema: z.ZodType = z.lazy(() =>
  z.union([
    z.boolean(),
    z
      .strictObject({
        ...described,
        $ref: z.string().regex(/^#\/components\/schemas\/[A-Za-z0-9._-]+$/),
        type: z.union([z.enum(TYPES), z.array(z.enum(TYPES)).min(1)]),
        enum: z.array(z.json()).min(1),
        const: z.json(),
        default: z.json(),
        format: text,
        pattern,
        minLength: count,
        maxLength: count,
        minimum: z.number(),
        maximum: z.number(),
        exclusiveMinimum: z.number(),
        exclusiveMaximum: z.number(),
        multipleOf: z.number().positive(),
        anyOf: z.array(jsonSchema).min(1),
        oneOf: z.array(jsonSchema).min(1),
        allOf: z.array(jsonSchema).min(1),
        not: jsonSchema,
        properties: z.record(text, jsonSchema),
        required: z.array(text).refine((names) => new Set(names).size === names.length, 'names one twice'),
        additionalProperties: jsonSchema,
        propertyNames: jsonSchema,
        items: jsonSchema,
        prefixItems: z.array(jsonSchema).min(1),
        minItems: count,
        maxItems: count,
      })
      .partial(),
  ]),
)

const mediaType = z.strictObject({ schema: jsonSchema, example: z.json().optional() })
const content = z.record(z.string().regex(/^[a-z]+\/[a-z0-9.+-]+$/), mediaType)

const parameter = z
  .strictObject({
    name: text,
    in: z.enum(['query', 'header', 'path', 'cookie']),
    ...described,
    required: z.boolean().optional(),
    deprecated: z.boolean().optional(),
    schema: jsonSchema,
  })
  .refine((one) => one.in !== 'path' || one.required === true, 'a parameter of the path is required')

const response = z.union([
  z.strictObject({ $ref: z.string().regex(/^#\/components\/responses\/[A-Za-z0-9._-]+$/) }),
  z.strictObject({ description: text, content: content.optional() }),
])

const operation = z.strictObject({
  operationId: text,
  summary: text,
  ...described,
  tags: z.array(text).optional(),
  deprecated: z.boolean().optional(),
  parameters: z.array(parameter),
  requestBody: z.strictObject({ ...described, required: z.boolean().optional(), content }).optional(),
  responses: z
    .record(z.string().regex(/^([1-5]\d\d|default)$/), response)
    .refine((all) => Object.keys(all).length > 0, 'there is no response'),
  security: z.array(z.record(text, z.array(text))),
})

const METHODS = ['get', 'put', 'post', 'delete', 'options', 'head', 'patch', 'trace'] as const
const named = <T extends z.ZodType>(what: T) => z.record(z.string().regex(/^[A-Za-z0-9._-]+$/), what)

export const openapiStructure = z.strictObject({
  openapi: z.string().regex(/^3\.1\.\d+$/),
  info: z.strictObject({ title: text, version: text, ...described, summary: text.optional() }),
  paths: z.record(z.string().startsWith('/'), z.partialRecord(z.enum(METHODS), operation)),
  components: z.strictObject({
    schemas: named(jsonSchema),
    responses: named(response),
    securitySchemes: named(
      z.strictObject({ type: z.literal('http'), scheme: z.literal('bearer'), ...described }),
    ),
  }),
})

interface Document {
  readonly components: { readonly schemas: Readonly<Record<string, object>> }
}

/** A schema of the document, ready to check values with. */
export function schemaIn({ components }: Document, schema: object): z.ZodType {
  const text = JSON.stringify({ ...schema, $defs: components.schemas })
  return z.fromJSONSchema(
    JSON.parse(text.replaceAll('"#/components/schemas/', '"#/$defs/')) as Parameters<
      typeof z.fromJSONSchema
    >[0],
  )
}
