/** Reads a C or C++ header: functions, types with public members, enumerations, variables, macros. */
import {
  childBy,
  childOfKind,
  childrenBy,
  isComment,
  namedChildren,
  textBy,
  walk,
  type SyntaxNode,
} from '../../languages/syntax.ts'
import { declarationsIn } from './declarations.ts'
import { symbolOf, type Parameter, type PublicSymbol, type TreeApi } from './compare.ts'

interface Scope {
  /** `ns::` or `Class.`. */
  readonly prefix: string
  /** The words of `template <…>` before a declaration. */
  readonly template: readonly string[]
}

/** Private namespaces. */
const HIDDEN = /^(detail|details|internal|impl|_.*|)$/

export const readCpp = (root: SyntaxNode): TreeApi => ({ symbols: membersOf('', root), passedOn: [] })

function membersOf(prefix: string, body: SyntaxNode | null, isPublic = true): readonly PublicSymbol[] {
  let isShown = isPublic
  return declarationsIn(body).flatMap((node) => {
    if (node.kind === 'access_specifier') isShown = node.text.startsWith('public')
    return isShown ? symbolsOf({ prefix, template: [] }, node) : []
  })
}

function symbolsOf(scope: Scope, node: SyntaxNode): readonly PublicSymbol[] {
  const { prefix, template } = scope
  const [body, inner] = [childBy(node, 'body'), namedChildren(node).at(-1)]
  if (node.kind.startsWith('preproc_')) return macroOf(node)
  if (node.kind === 'namespace_definition') {
    const isHidden = nameIn(node)
      .split('::')
      .some((part) => HIDDEN.test(part))
    return isHidden ? [] : membersOf(`${prefix}${nameIn(node)}::`, body)
  }
  if (node.kind === 'linkage_specification' && body !== null)
    return body.kind === 'declaration_list' ? membersOf(prefix, body) : symbolsOf(scope, body)
  if (node.kind === 'template_declaration' && inner !== undefined)
    return symbolsOf({ prefix, template: [...template, ...wordsOf(node, [inner])] }, inner)
  if (/^(alias|using)_declaration$/.test(node.kind)) {
    const [words, type] = [wordsOf(node), childBy(node, 'type')]
    if (words.includes('namespace')) return []
    return [aliasOf(scope, node, nameIn(node) || (words.at(-1) ?? ''), type === null ? [] : wordsOf(type))]
  }
  if (/^(class|struct|union|enum)_specifier$/.test(node.kind)) return recordOf(scope, node, nameIn(node))
  return /^(declaration|field_declaration|function_definition|type_definition)$/.test(node.kind)
    ? declaredBy(scope, node)
    : []
}

const nameIn = (node: SyntaxNode): string => textBy(node, 'name').replace(/\s/g, '')

/** A name for a type or a value of a type. */
const aliasOf = (
  { prefix, template }: Scope,
  node: SyntaxNode,
  name: string,
  type: readonly string[],
): PublicSymbol =>
  symbolOf({
    name: `${prefix}${name}`,
    line: node.line,
    signature: lineOf([...template, ...wordsOf(node)]),
    type: lineOf(type),
    words: lineOf(template),
  })

/** Macros with a value; include guards, empty and private macros do not count. */
function macroOf(node: SyntaxNode): readonly PublicSymbol[] {
  const [name, list] = [nameIn(node), childBy(node, 'parameters')]
  const value = textBy(node, 'value').replace(/\/[/*].*/, '')
  if (name.startsWith('_') || (list === null && value.trim() === '')) return []
  const names = list?.text.match(/\w+|\.{3}/g) ?? []
  const signature = `#define ${name}${list?.text.replace(/\s+/g, ' ') ?? ''}`
  const parameters = list === null ? null : names.map((one) => byPlace(one, '', one === '...'))
  return [symbolOf({ name, line: node.line, signature, parameters })]
}

const byPlace = (name: string, type: string, isOptional: boolean): Parameter => ({
  name,
  type,
  isOptional,
  passedBy: 'place',
})

/** A type with its members; those of what has no name belong to the enclosing scope. */
function recordOf({ prefix, template }: Scope, node: SyntaxNode, own: string): readonly PublicSymbol[] {
  const [body, line] = [childBy(node, 'body'), node.line]
  const isEnum = node.kind === 'enum_specifier'
  const isOwner = own !== '' && (!isEnum || childOfKind(node, 'class', 'struct') !== null)
  const inner: Scope = { prefix: isOwner ? `${prefix}${own}.` : prefix, template: [] }
  const members = isEnum
    ? namedChildren(body).map((one) => {
        const value = childBy(one, 'value')
        return aliasOf(inner, one, nameIn(one), value === null ? [] : wordsOf(value))
      })
    : membersOf(inner.prefix, body, node.kind !== 'class_specifier')
  if (own === '') return members
  const signature = lineOf([...template, ...wordsOf(node, [body])])
  const words = lineOf([...template, ...wordsOf(node, [body, childBy(node, 'name')])])
  return [symbolOf({ name: `${prefix}${own}`, line, signature, words }), ...members]
}

/** A function, an alias or variables, and the type that is declared with them. */
function declaredBy(scope: Scope, node: SyntaxNode): readonly PublicSymbol[] {
  const { prefix, template } = scope
  const type = childBy(node, 'type')
  const declarators = childrenBy(node, 'declarator')
  const isTypedef = node.kind === 'type_definition'
  const tag = type === null ? '' : nameIn(type)
  const record = type === null || childBy(type, 'body') === null ? null : type
  if (record !== null && isTypedef) {
    const [alias] = declarators.map(nameNode)
    return recordOf(scope, record, alias?.text ?? '')
  }
  const apart = [childBy(node, 'body'), childOfKind(node, 'field_initializer_list')]
  const found = declarators.flatMap((own): readonly PublicSymbol[] => {
    const name = nameNode(own)
    if (name === null) return []
    const words = wordsOf(name, name.kind === 'operator_cast' ? [childBy(name, 'declarator')] : [])
    const others = [...apart, name, ...declarators.filter((one) => one !== own)]
    const list = isTypedef ? null : childBy(callIn(own), 'parameters')
    if (list === null) {
      const left = wordsOf(node, [...others, childBy(own, 'value'), childBy(node, 'default_value')])
      const typed = record === null ? left.filter((word) => word !== '=' && word !== ',') : [tag]
      return [aliasOf(scope, node, words.join(''), typed)]
    }
    const around = (isAfter: boolean): readonly string[] =>
      wordsOf(node, [...others, list], (leaf) => leaf.start > list.start === isAfter)
    return [
      symbolOf({
        name: `${prefix}${lineOf(words).replace(/^operator (?=\W)/, 'operator')}`,
        line: node.line,
        signature: lineOf([...template, ...wordsOf(node, apart)]),
        parameters: parametersIn(list),
        type: lineOf(around(false)),
        words: lineOf([...template, ...around(true)]),
      }),
    ]
  })
  return [...(record === null ? [] : recordOf(scope, record, tag)), ...found]
}

/** What a declarator leads to on the way to its name. */
const innerOf = (node: SyntaxNode): SyntaxNode | null =>
  childBy(node, 'declarator') ??
  namedChildren(node).find(({ kind }) => /declarator$|_name$|identifier$/.test(kind)) ??
  null

const isName = ({ kind }: SyntaxNode): boolean => /identifier$|_name$|^operator_cast$/.test(kind)

function nameNode(node: SyntaxNode): SyntaxNode | null {
  const inner = isName(node) ? null : innerOf(node)
  return isName(node) ? node : inner === null ? null : nameNode(inner)
}

/** Its own parameter list, and not that of a function that it points to. */
function callIn(node: SyntaxNode): SyntaxNode | null {
  const inner = innerOf(node)
  if (node.kind.endsWith('function_declarator'))
    return inner?.kind === 'parenthesized_declarator' ? null : node
  return inner === null ? null : callIn(inner)
}

function parametersIn(list: SyntaxNode): readonly Parameter[] {
  if (/^\(\s*void\s*\)$/.test(list.text)) return []
  return list.children.flatMap((node): readonly Parameter[] => {
    if (/^\.\.\.$|variadic/.test(node.kind)) return [{ ...byPlace('...', '', true), passedBy: 'name' }]
    if (!node.isNamed || isComment(node)) return []
    const [declarator, value] = [childBy(node, 'declarator'), childBy(node, 'default_value')]
    const name = declarator === null ? null : nameNode(declarator)
    const type = lineOf(wordsOf(node, [name, value]).filter((word) => word !== '='))
    return [byPlace(name?.text ?? '', type, value !== null)]
  })
}

/** Attributes, and specifiers of linkage and optimisation, do not matter to callers. */
const ATTRIBUTE = /attribute|declspec|alignas|^gnu_asm|linkage/
const SILENT =
  /^(;|extern|inline|__inline|__inline__|__forceinline|register|friend|mutable|virtual|__extension__|typename)$/

/** The words of a node, without some of its parts. */
const wordsOf = (
  node: SyntaxNode,
  without: readonly (SyntaxNode | null)[] = [],
  isWanted: (leaf: SyntaxNode) => boolean = () => true,
): readonly string[] =>
  walk(node, (one) => !without.includes(one) && !isComment(one) && !ATTRIBUTE.test(one.kind))
    .filter((leaf) => leaf.children.length === 0 && isWanted(leaf))
    .map(({ text }) => text)
    .filter((text) => !SILENT.test(text))
    .toArray()

/** `const char *a` is one text, however it is laid out. */
const lineOf = (words: readonly string[]): string =>
  words
    .join(' ')
    .replace(/ ?(::|[()[\]<>~]) ?/g, '$1')
    .replace(/ (?=[,*&])/g, '')
    .replace(/([*&>)])(?=\w)/g, '$1 ')
