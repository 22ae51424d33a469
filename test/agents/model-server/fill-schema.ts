/** The smallest value that fits a JSON schema, as far as agents' schemas go. */
import type { JsonSchema } from './request.ts'

export function fillSchema(schema: JsonSchema): unknown {
  if ('const' in schema) return schema['const']
  if ('default' in schema) return schema['default']
  const [choice] = listOf(schema['enum'])
  if (choice !== undefined) return choice
  const [option] = [schema['anyOf'], schema['oneOf'], schema['allOf']].flatMap(listOf)
  if (option !== undefined) return fillSchema(asSchema(option))
  switch (typeOf(schema)) {
    case 'string':
      return 'scripted'
    case 'number':
    case 'integer':
      return typeof schema['minimum'] === 'number' ? schema['minimum'] : 1
    case 'boolean':
      return false
    case 'array':
      return Array.from({ length: Number(schema['minItems'] ?? 0) }, () =>
        fillSchema(asSchema(schema['items'])),
      )
    case 'object':
      return fillRequired(schema, {})
    default:
      return null
  }
}

/** The given properties, and what else the schema requires. */
export function fillRequired(
  schema: JsonSchema,
  given: Readonly<Record<string, unknown>>,
): Record<string, unknown> {
  const properties = propertiesOf(schema)
  const missing = listOf(schema['required'])
    .map(String)
    .filter((name) => !(name in given))
  return {
    ...given,
    ...Object.fromEntries(missing.map((name) => [name, fillSchema(properties[name] ?? {})])),
  }
}

export const propertiesOf = (schema: JsonSchema): Readonly<Record<string, JsonSchema>> =>
  Object.fromEntries(
    Object.entries(asSchema(schema['properties'])).map(([name, property]) => [name, asSchema(property)]),
  )

/** Lower case, since Gemini writes types in capitals; the first where there are several. */
export function typeOf(schema: JsonSchema): string {
  const [type] = [schema['type']].flat()
  if (typeof type === 'string') return type.toLowerCase()
  return 'properties' in schema ? 'object' : ''
}

export const asSchema = (value: unknown): JsonSchema =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as JsonSchema) : {}

const listOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : [])
