/** Node kinds of each grammar that tripwires look for. */
import type { Family } from '../../../languages/languages.ts'

/** A node kind, with the fields that hold its two parts. */
type Parts = Readonly<Record<string, readonly [first: string, second: string]>>

export interface NodeKinds {
  readonly comments: ReadonlySet<string>
  /** Literals: strings, patterns, heredocs. */
  readonly texts: ReadonlySet<string>
  /** Code embedded in a string. */
  readonly holes: ReadonlySet<string>
  /** Callee and arguments. */
  readonly calls: Parts
  /** Object and property. */
  readonly members: Parts
  /** Object and index. */
  readonly indexes: Parts
  /** Target and value. */
  readonly assignments: Parts
  /** Key and value: a property of an object, a keyword argument. */
  readonly entries: Parts
  readonly decorators: ReadonlySet<string>
  readonly imports: ReadonlySet<string>
  /** Nodes that define something under a name. */
  readonly definitions: ReadonlySet<string>
  readonly functions: ReadonlySet<string>
  /** Nodes whose contents run conditionally. */
  readonly conditions: ReadonlySet<string>
  /** Transparent nodes: parentheses, casts, `await`. */
  readonly wrappers: ReadonlySet<string>
}

const set = (words = ''): ReadonlySet<string> => new Set(words.split(/\s+/).filter((word) => word !== ''))

const JS: NodeKinds = {
  comments: set('comment html_comment hash_bang_line'),
  texts: set('string template_string regex'),
  holes: set('template_substitution'),
  calls: {
    call_expression: ['function', 'arguments'],
    new_expression: ['constructor', 'arguments'],
  },
  members: { member_expression: ['object', 'property'] },
  indexes: { subscript_expression: ['object', 'index'] },
  assignments: {
    assignment_expression: ['left', 'right'],
    augmented_assignment_expression: ['left', 'right'],
    variable_declarator: ['name', 'value'],
  },
  entries: { pair: ['key', 'value'] },
  decorators: set('decorator'),
  imports: set('import_statement export_statement'),
  definitions: set('function_declaration generator_function_declaration method_definition class_declaration'),
  functions: set(
    'arrow_function function_expression function_declaration generator_function generator_function_declaration method_definition',
  ),
  conditions: set('if_statement ternary_expression switch_case switch_default catch_clause'),
  wrappers: set(
    'parenthesized_expression as_expression satisfies_expression non_null_expression await_expression type_assertion',
  ),
}

const PYTHON: NodeKinds = {
  comments: set('comment'),
  texts: set('string'),
  holes: set('interpolation'),
  calls: { call: ['function', 'arguments'] },
  members: { attribute: ['object', 'attribute'] },
  indexes: { subscript: ['value', 'subscript'] },
  assignments: { assignment: ['left', 'right'], augmented_assignment: ['left', 'right'] },
  entries: { pair: ['key', 'value'], keyword_argument: ['name', 'value'] },
  decorators: set('decorator'),
  imports: set('import_statement import_from_statement'),
  definitions: set('function_definition class_definition'),
  functions: set('function_definition lambda'),
  conditions: set('if_statement conditional_expression match_statement except_clause except_group_clause'),
  wrappers: set('parenthesized_expression await'),
}

const GO: NodeKinds = {
  comments: set('comment'),
  texts: set('interpreted_string_literal raw_string_literal rune_literal'),
  holes: set(),
  calls: { call_expression: ['function', 'arguments'] },
  members: { selector_expression: ['operand', 'field'] },
  indexes: { index_expression: ['operand', 'index'] },
  assignments: { assignment_statement: ['left', 'right'], short_var_declaration: ['left', 'right'] },
  entries: {},
  decorators: set(),
  imports: set('import_spec'),
  definitions: set('function_declaration method_declaration'),
  functions: set('function_declaration method_declaration func_literal'),
  conditions: set('if_statement expression_case type_case default_case communication_case'),
  wrappers: set('parenthesized_expression'),
}

const RUST: NodeKinds = {
  comments: set('line_comment block_comment'),
  texts: set('string_literal raw_string_literal char_literal'),
  holes: set(),
  calls: { call_expression: ['function', 'arguments'], macro_invocation: ['macro', ''] },
  members: { field_expression: ['value', 'field'], scoped_identifier: ['path', 'name'] },
  indexes: {},
  assignments: { assignment_expression: ['left', 'right'] },
  entries: {},
  decorators: set('attribute_item inner_attribute_item'),
  imports: set('use_declaration'),
  definitions: set('function_item macro_definition'),
  functions: set('function_item closure_expression'),
  conditions: set('if_expression match_arm'),
  wrappers: set('parenthesized_expression await_expression try_expression reference_expression'),
}

const RUBY: NodeKinds = {
  comments: set('comment'),
  texts: set(
    'string regex heredoc_body character string_array symbol_array subshell delimited_symbol chained_string',
  ),
  holes: set('interpolation'),
  calls: { call: ['method', 'arguments'] },
  members: { scope_resolution: ['scope', 'name'] },
  indexes: { element_reference: ['object', ''] },
  assignments: { assignment: ['left', 'right'], operator_assignment: ['left', 'right'] },
  entries: { pair: ['key', 'value'] },
  decorators: set(),
  imports: set(),
  definitions: set('method singleton_method class module'),
  functions: set('method singleton_method lambda'),
  conditions: set(
    'if unless conditional if_modifier unless_modifier when else elsif rescue rescue_modifier in_clause',
  ),
  wrappers: set('parenthesized_statements'),
}

const SHELL: NodeKinds = {
  comments: set('comment'),
  texts: set('string raw_string ansi_c_string heredoc_body translated_string regex'),
  holes: set('command_substitution expansion simple_expansion arithmetic_expansion'),
  calls: { command: ['name', 'argument'] },
  members: {},
  indexes: {},
  assignments: { variable_assignment: ['name', 'value'] },
  entries: {},
  decorators: set(),
  imports: set(),
  definitions: set('function_definition'),
  functions: set('function_definition'),
  conditions: set('if_statement case_item'),
  wrappers: set(),
}

/** Families whose rules query trees. The others have rules on lines. */
export const NODE_KINDS: Partial<Readonly<Record<Family, NodeKinds>>> = {
  js: JS,
  python: PYTHON,
  go: GO,
  rust: RUST,
  ruby: RUBY,
  shell: SHELL,
}
