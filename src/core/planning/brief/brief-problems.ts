/** Finds mistakes in a brief: empty ids, unreplaced placeholders, missing values. */
import type { Brief } from './brief.ts'
import { quoted } from '../../../lib/text/quoted.ts'

export interface BriefProblem {
  /** From 1. */
  readonly line: number
  readonly message: string
}

const SIGNS: readonly (readonly [pattern: RegExp, message: (found: string) => string])[] = [
  [/(?<!\$)\{\{[^{}\n]{0,80}\}\}/, (found) => `placeholder ${found} was not replaced`],
  [
    /<(TODO|TBD|FIXME|PLACEHOLDER|INSERT)\b[^<>\n]{0,80}>/i,
    (found) => `placeholder ${found} was not replaced`,
  ],
  [/\[object \w+\]/, (found) => `${found} instead of a text`],
  [/(?<=: `?|^- `?|^\d+\. `?|, `?)(undefined|null|NaN)(?=`?(,|$))/, (found) => `${found} instead of a value`],
  [
    /^#+ Task\s*:|\bTask ,|\bw--|-undefined\b|^- (Plan|Tier|Your area):\s*$/,
    () => 'an id or a name is empty',
  ],
  [/^\d+\.\s*$/, () => 'a requirement is empty'],
]

/** `authored` are texts by people, whose placeholders are intended (a plan about templates may contain `{{name}}`). */
export function briefProblems(text: string, authored: readonly string[] = []): readonly BriefProblem[] {
  if (text.trim() === '') return [{ line: 1, message: 'the brief is empty' }]
  return text.split('\n').flatMap((line, at) =>
    SIGNS.flatMap(([pattern, message]) => {
      const [found] = pattern.exec(line) ?? []
      const meant = found === undefined || authored.some((written) => written.includes(found))
      return meant ? [] : [{ line: at + 1, message: message(found) }]
    }),
  )
}

/** The texts of a brief written by people: the plan's author, reviewers, the repository. */
export function authoredTexts(brief: Brief): readonly string[] {
  const { contract } = brief
  return [
    brief.notes,
    brief.summary,
    brief.architecture ?? '',
    contract.title,
    contract.context.shared,
    contract.context.task_delta,
    ...brief.workspace,
    ...brief.requirements,
    ...brief.constraints,
    ...brief.keyPaths.flatMap(({ name, path }) => [name ?? '', path]),
    ...brief.patterns,
    brief.patternToFollow ?? '',
    ...contract.non_goals,
    ...contract.tests_to_run,
    ...contract.io_contract.expected_interfaces,
    ...contract.decisions,
    ...brief.dependencyOutputs.flatMap((output) => [
      output.title,
      output.summary,
      quoted(output.explanation ?? '', 2000),
      ...output.changes,
      ...output.names,
      ...output.interfaces,
    ]),
    ...auditTexts(brief),
    ...(brief.revision?.feedback ?? []),
    brief.revision?.previousDraft ?? '',
  ]
}

/** As printed, since names may be cut or cleaned. */
function auditTexts({ audit }: Brief): readonly string[] {
  const { found, branches } = audit
  const names = [
    ...(found?.files ?? []).flatMap(({ path, holds }) => [path, ...holds]),
    ...branches.flatMap(({ name, files }) => [name, ...files]),
  ]
  return [found?.evidence ?? '', ...names.map((name) => quoted(name))]
}
