/** Reads an OpenAPI document: each method of each path with parameters and responses. */
import { isMapping, list, mapping, text, type Mapping, type ParsedDocument } from '../documents.ts'
import { NO_API, symbolOf, type FileApi, type Parameter, type PublicSymbol } from './public-symbol.ts'

/** Recognized by its first lines, so that not every YAML file has to be parsed. */
export const looksLikeOpenApi = (source: string): boolean =>
  /(?:^|[{,])[ \t]*["']?(?:openapi|swagger)["']?[ \t]*:/m.test(source)

const METHODS = ['get', 'put', 'post', 'delete', 'options', 'head', 'patch', 'trace'] as const
const DEEPEST = 6
const MOST_SYMBOLS = 20_000

export function readOpenApi(parsed: ParsedDocument): FileApi {
  const [error] = parsed.errors
  if (error !== undefined) return { ...NO_API, doubts: [`line ${error.line}: ${error.message}`] }
  const root = mapping(parsed.value)
  if (text(root['openapi']) === '' && text(root['swagger']) === '' && typeof root['swagger'] !== 'number')
    return NO_API
  const schemas = new Schemas(root)
  const symbols: PublicSymbol[] = []
  for (const [path, item] of Object.entries(mapping(root['paths']))) {
    const own = mapping(schemas.resolved(item))
    for (const method of METHODS) {
      const operation = own[method]
      if (!isMapping(operation)) continue
      // The names of path parameters do not matter to callers.
      const name = `${method.toUpperCase()} ${path.replace(/\{[^}]*\}/g, '{}')}`
      const parameters = [...list(own['parameters']), ...list(operation['parameters'])].flatMap((one) =>
        schemas.parameter(one),
      )
      const byName = new Map([...parameters, ...schemas.body(operation)].map((one) => [one.name, one]))
      const line = parsed.lineOf(['paths', path, method])
      const signature = `${method.toUpperCase()} ${path}`
      symbols.push(symbolOf({ name, line, signature, parameters: [...byName.values()] }))
      for (const [code, response] of Object.entries(mapping(operation['responses']))) {
        const at = parsed.lineOf(['paths', path, method, 'responses', code])
        schemas.response(`${name}.${code}`, at, response, symbols)
      }
    }
  }
  return { ...NO_API, symbols, doubts: schemas.doubts }
}

class Schemas {
  readonly doubts: string[] = []
  readonly #root: Mapping

  constructor(root: Mapping) {
    this.#root = root
  }

  /** Resolves `$ref` within the document, not in other files. */
  resolved(value: unknown, depth = 0): unknown {
    const ref = isMapping(value) ? text(value['$ref']) : ''
    if (ref === '' || depth > DEEPEST) return value
    if (!ref.startsWith('#/')) {
      const words = `it refers to ${ref}, which is not read`
      if (!this.doubts.includes(words) && this.doubts.length < 5) this.doubts.push(words)
      return {}
    }
    let found: unknown = this.#root
    for (const part of ref.slice(2).split('/'))
      found = mapping(found)[part.replaceAll('~1', '/').replaceAll('~0', '~')]
    return this.resolved(found, depth + 1)
  }

  parameter(given: unknown): readonly Parameter[] {
    const own = mapping(this.resolved(given))
    const [place, isOptional] = [text(own['in']), own['required'] !== true]
    if (place === 'body') return this.#members('body', own['schema'], isOptional)
    if (place === 'path' || place === '') return []
    return [byName(`${place} ${text(own['name'])}`, this.#typeOf(own['schema'] ?? own), isOptional)]
  }

  body(operation: Mapping): readonly Parameter[] {
    const body = mapping(this.resolved(operation['requestBody']))
    return Object.entries(mapping(body['content'])).flatMap(([form, media]) =>
      this.#members(`body ${form}`, mapping(media)['schema'], body['required'] !== true),
    )
  }

  /** Each member of a body can change on its own. */
  #members(name: string, schema: unknown, isOptional: boolean): readonly Parameter[] {
    const own = this.#merged(schema)
    const members = Object.entries(mapping(own['properties']))
    if (members.length === 0) return [byName(name, this.#typeOf(schema), isOptional)]
    const required = list(own['required'])
    return [
      byName(name, '', isOptional),
      ...members.map(([key, one]) => byName(`${name} ${key}`, this.#typeOf(one), !required.includes(key))),
    ]
  }

  response(name: string, line: number, response: unknown, symbols: PublicSymbol[]): void {
    const own = mapping(this.resolved(response))
    symbols.push(symbolOf({ name, line }))
    if (own['schema'] !== undefined) this.#answered(name, line, own['schema'], 0, symbols)
    for (const [form, media] of Object.entries(mapping(own['content'])))
      this.#answered(`${name} ${form}`, line, mapping(media)['schema'], 0, symbols)
  }

  /** Each member of a response is a symbol: adding one is compatible, removing one is a break. */
  #answered(name: string, line: number, schema: unknown, depth: number, symbols: PublicSymbol[]): void {
    const own = this.#merged(schema)
    const members = Object.entries(mapping(own['properties']))
    if (symbols.length > MOST_SYMBOLS) return
    if (own['type'] === 'array' && depth < DEEPEST)
      return this.#answered(`${name}[]`, line, own['items'], depth + 1, symbols)
    const isWhole = members.length === 0 || depth >= DEEPEST
    const type = isWhole ? this.#typeOf(schema) : ''
    symbols.push(symbolOf({ name, line, signature: `${name}: ${type || 'object'}`, type }))
    const required = list(own['required'])
    for (const [key, one] of isWhole ? [] : members) {
      const place = symbols.length
      this.#answered(`${name}.${key}`, line, one, depth + 1, symbols)
      const first = symbols[place]
      if (first !== undefined && !required.includes(key)) symbols[place] = { ...first, words: 'optional' }
    }
  }

  /** Including the members from `allOf`. */
  #merged(schema: unknown, depth = 0): Mapping {
    const own = mapping(this.resolved(schema))
    const parts = depth > DEEPEST ? [] : list(own['allOf']).map((part) => this.#merged(part, depth + 1))
    if (parts.length === 0) return own
    const all = [...parts, own]
    const properties: Mapping = Object.assign({}, ...all.map((part) => mapping(part['properties'])))
    return { ...own, properties, required: all.flatMap((part) => list(part['required'])) }
  }

  /** A schema as a type on one line; empty if it declares none. */
  #typeOf(schema: unknown, depth = 0): string {
    const own = this.#merged(schema)
    if (depth > DEEPEST) return '…'
    const choices = [...list(own['enum']), ...('const' in own ? [own['const']] : [])]
    if (choices.length > 0) return choices.map((one) => JSON.stringify(one)).join(' | ')
    const parts = [...list(own['oneOf']), ...list(own['anyOf'])]
    if (parts.length > 0) return parts.map((part) => this.#typeOf(part, depth + 1)).join(' | ')
    if (own['type'] === 'array') return `Array<${this.#typeOf(own['items'], depth + 1)}>`
    const members = Object.entries(mapping(own['properties']))
    if (members.length > 0)
      return `{${members.map(([key, one]) => `${key}: ${this.#typeOf(one, depth + 1)}`).join('; ')}}`
    const types = [own['type'], own['format'], own['nullable'] === true ? 'null' : ''].flat()
    return types
      .map(text)
      .filter((one) => one !== '')
      .join(' ')
  }
}

const byName = (name: string, type: string, isOptional: boolean): Parameter => ({
  name,
  type,
  isOptional,
  passedBy: 'name',
})
