/** Reads an OpenAPI document: each method of each path with parameters and responses. */
import { isMapping, list, mapping, text, type Mapping, type ParsedDocument } from '../documents.ts'
import { NO_API, symbolOf, withType } from './public-symbol.ts'
import type { FileApi, Parameter, PublicSymbol } from './public-symbol.ts'

/** Recognized by its first lines, so that not every YAML file has to be parsed. */
export const looksLikeOpenApi = (source: string): boolean =>
  /(?:^|[{,])[ \t]*["']?(?:openapi|swagger)["']?[ \t]*:/m.test(source)

const METHODS = ['get', 'put', 'post', 'delete', 'options', 'head', 'patch', 'trace'] as const
const DEEPEST = 6
const MOST_MEMBERS = 2_000

export function readOpenApi(parsed: ParsedDocument): FileApi {
  const [error] = parsed.errors
  if (error !== undefined) return { ...NO_API, doubts: [`line ${error.line}: ${error.message}`] }
  const root = mapping(parsed.value)
  if (text(root['openapi']) === '' && text(root['swagger']) === '' && typeof root['swagger'] !== 'number')
    return NO_API
  const reader = new OpenApiReader(root, parsed.lineOf)
  return { ...NO_API, symbols: reader.symbols(), doubts: reader.doubts }
}

const namedParameter = (name: string, type: string | null, isNeeded: boolean): Parameter => ({
  name,
  type,
  need: isNeeded ? 'named' : 'named_optional',
  isNamed: true,
})

class OpenApiReader {
  readonly doubts: string[] = []
  readonly #root: Mapping
  readonly #lineOf: ParsedDocument['lineOf']

  constructor(root: Mapping, lineOf: ParsedDocument['lineOf']) {
    this.#root = root
    this.#lineOf = lineOf
  }

  symbols(): readonly PublicSymbol[] {
    return Object.entries(mapping(this.#root['paths'])).flatMap(([path, item]) => {
      const own = mapping(this.#resolved(item))
      return METHODS.flatMap((method) => {
        const operation = own[method]
        return isMapping(operation)
          ? this.#operation({ path, method, operation, shared: list(own['parameters']) })
          : []
      })
    })
  }

  #operation(given: {
    readonly path: string
    readonly method: string
    readonly operation: Mapping
    readonly shared: readonly unknown[]
  }): readonly PublicSymbol[] {
    const { path, method, operation, shared } = given
    // The names of path parameters do not matter to callers.
    const name = `${method.toUpperCase()} ${path.replace(/\{[^}]*\}/g, '{}')}`
    const line = this.#lineOf(['paths', path, method])
    const parameters = [
      ...this.#parameters([...shared, ...list(operation['parameters'])]),
      ...this.#body(operation),
    ]
    const needed = parameters.filter((one) => one.need === 'named').map((one) => one.name)
    const signature = `${method.toUpperCase()} ${path}${needed.length === 0 ? '' : ` (${needed.join(', ')})`}`
    return [
      symbolOf({ name, kind: 'endpoint', line, signature, parameters }),
      ...Object.entries(mapping(operation['responses'])).flatMap(([code, response]) =>
        this.#response(
          { name: `${name}.${code}`, line: this.#lineOf(['paths', path, method, 'responses', code]) },
          response,
        ),
      ),
    ]
  }

  #parameters(given: readonly unknown[]): readonly Parameter[] {
    const byKey = new Map<string, Parameter>()
    for (const one of given) {
      const parameter = mapping(this.#resolved(one))
      const place = text(parameter['in'])
      if (place === 'body') {
        const isNeeded = parameter['required'] === true
        for (const member of this.#members('body', parameter['schema'], isNeeded))
          byKey.set(member.name, member)
        continue
      }
      if (place === 'path' || place === '') continue
      const name = `${place} ${text(parameter['name'])}`
      const type = this.#typeOf(parameter['schema'] ?? parameter, 0)
      byKey.set(name, namedParameter(name, type, parameter['required'] === true))
    }
    return [...byKey.values()]
  }

  #body(operation: Mapping): readonly Parameter[] {
    if (operation['requestBody'] === undefined) return []
    const body = mapping(this.#resolved(operation['requestBody']))
    const isNeeded = body['required'] === true
    return Object.entries(mapping(body['content'])).flatMap(([form, media]) =>
      this.#members(`body ${form}`, mapping(media)['schema'], isNeeded),
    )
  }

  /** Lists the members of an object body, so that each can change on its own. */
  #members(prefix: string, schema: unknown, isNeeded: boolean): readonly Parameter[] {
    const whole = this.#merged(schema)
    const properties = Object.entries(mapping(whole['properties']))
    if (properties.length === 0) return [namedParameter(prefix, this.#typeOf(schema, 0), isNeeded)]
    const required = new Set(list(whole['required']).map(text))
    return [
      namedParameter(prefix, null, isNeeded),
      ...properties.map(([key, own]) =>
        namedParameter(`${prefix} ${key}`, this.#typeOf(own, 0), required.has(key)),
      ),
    ]
  }

  #response(
    given: { readonly name: string; readonly line: number },
    response: unknown,
  ): readonly PublicSymbol[] {
    const { name, line } = given
    const own = mapping(this.#resolved(response))
    const symbols = [symbolOf({ name, kind: 'member', line, signature: name })]
    const contents = Object.entries(mapping(own['content']))
    const schemas =
      own['schema'] === undefined ? contents : [['', { schema: own['schema'] }] as const, ...contents]
    for (const [form, media] of schemas) {
      const inner = form === '' ? name : `${name} ${form}`
      if (form !== '') symbols.push(symbolOf({ name: inner, kind: 'member', line, signature: inner }))
      this.#answered({ name: inner, line, schema: mapping(media)['schema'], depth: 0 }, symbols)
    }
    return symbols
  }

  /** Each member of a response is a symbol: adding one is compatible, removing one is a break. */
  #answered(
    given: { readonly name: string; readonly line: number; readonly schema: unknown; readonly depth: number },
    symbols: PublicSymbol[],
  ): void {
    const { name, line, schema, depth } = given
    const whole = this.#merged(schema)
    const properties = Object.entries(mapping(whole['properties']))
    if (symbols.length > MOST_MEMBERS) return
    if (whole['type'] === 'array' && depth < DEEPEST) {
      this.#answered({ name: `${name}[]`, line, schema: whole['items'], depth: depth + 1 }, symbols)
      return
    }
    if (properties.length === 0 || depth >= DEEPEST) {
      const type = this.#typeOf(schema, depth)
      if (type !== null)
        symbols.push(
          symbolOf({ name: `${name}: value`, kind: 'member', line, type, signature: `${name}: ${type}` }),
        )
      return
    }
    const required = new Set(list(whole['required']).map(text))
    for (const [key, own] of properties) {
      const inner = `${name}.${key}`
      const modifiers = required.has(key) ? [] : ['optional']
      const type = this.#isPlain(own) ? this.#typeOf(own, depth) : null
      const signature = withType(inner, type)
      symbols.push(symbolOf({ name: inner, kind: 'member', line, signature, modifiers, type }))
      if (type === null) this.#answered({ name: inner, line, schema: own, depth: depth + 1 }, symbols)
    }
  }

  /** Neither an object nor a list of objects. */
  #isPlain(schema: unknown): boolean {
    const whole = this.#merged(schema)
    if (whole['type'] === 'array') return this.#isPlain(whole['items'])
    return Object.keys(mapping(whole['properties'])).length === 0
  }

  /** Including the members from `allOf`. */
  #merged(schema: unknown, depth = 0): Mapping {
    const own = mapping(this.#resolved(schema))
    const parts = list(own['allOf'])
    if (parts.length === 0 || depth > DEEPEST) return own
    const merged = parts.map((part) => this.#merged(part, depth + 1))
    const properties = Object.assign(
      {},
      ...merged.map((part) => mapping(part['properties'])),
      mapping(own['properties']),
    ) as Mapping
    const required = [...merged.flatMap((part) => list(part['required'])), ...list(own['required'])]
    return { ...own, properties, required }
  }

  /** A schema as a type on one line; null if it declares none. */
  #typeOf(schema: unknown, depth: number): string | null {
    const own = this.#merged(schema)
    if (depth > DEEPEST) return '…'
    const choices = list(own['enum'])
    if (choices.length > 0) return choices.map((one) => JSON.stringify(one)).join(' | ')
    if ('const' in own) return JSON.stringify(own['const'])
    for (const key of ['oneOf', 'anyOf']) {
      const parts = list(own[key])
      if (parts.length > 0) return parts.map((part) => this.#typeOf(part, depth + 1) ?? 'any').join(' | ')
    }
    const given = own['type']
    const types = (Array.isArray(given) ? given : [given]).map(text).filter((one) => one !== '')
    const named = types.map((type) => this.#named(type, own, depth))
    if (named.length === 0 && isMapping(own['properties'])) named.push(this.#named('object', own, depth))
    if (own['nullable'] === true) named.push('null')
    return named.length === 0 ? null : named.join(' | ')
  }

  #named(type: string, own: Mapping, depth: number): string {
    if (type === 'array') return `Array<${this.#typeOf(own['items'], depth + 1) ?? 'any'}>`
    if (type !== 'object') return text(own['format']) === '' ? type : `${type}(${text(own['format'])})`
    const required = new Set(list(own['required']).map(text))
    const members = Object.entries(mapping(own['properties'])).map(
      ([key, value]) => `${key}${required.has(key) ? '' : '?'}: ${this.#typeOf(value, depth + 1) ?? 'any'}`,
    )
    return members.length === 0 ? 'object' : `{${members.join('; ')}}`
  }

  /** Resolves `$ref` within the document, not in other files. */
  #resolved(value: unknown, depth = 0): unknown {
    const ref = isMapping(value) ? text(value['$ref']) : ''
    if (ref === '' || depth > DEEPEST) return value
    if (!ref.startsWith('#/')) {
      const words = `it refers to ${ref}, which is not read`
      if (!this.doubts.includes(words) && this.doubts.length < 5) this.doubts.push(words)
      return {}
    }
    let found: unknown = this.#root
    for (const part of ref.slice(2).split('/')) {
      found = mapping(found)[part.replaceAll('~1', '/').replaceAll('~0', '~')]
    }
    return this.#resolved(found, depth + 1)
  }
}
