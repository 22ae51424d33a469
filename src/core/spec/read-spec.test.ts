import { describe, expect, it } from 'vitest'
import { readSpec } from './read-spec.ts'
import { MAX_SPEC_BYTES } from './spec.ts'
import { processorMs } from '../../../test/helpers/processor-time.ts'

const VALID = `---
version: "1.0"
priority: must
created: 2026-11-16
---

# Feature: Export of reports

## Vision

People can take their reports with them.

## Scope

### In Scope
- CSV export
- JSON export

### Out of Scope
- PDF export

## Requirements

### R-001: Export as CSV
**Type:** functional
**Priority:** must
**Dependencies:** []

**Description:** A report can be saved as CSV.

**Acceptance Criteria:**
- [ ] \`exportCsv(report)\` returns one line per row
- [ ] a comma in a value is quoted

### R-002: Export as JSON
**Type:** functional
**Priority:** should
**Dependencies:** [R-001]

**Description:**
A report can be saved as JSON.

It has the same fields.

**Acceptance Criteria:**
- [ ] \`exportJson(report)\` returns valid JSON
`

const errorsOf = (text: string): readonly string[] =>
  readSpec(text)
    .problems.filter(({ severity }) => severity === 'error')
    .map(({ line, message }) => `${line}: ${message}`)

const edited = (from: string | RegExp, to: string): string => VALID.replace(from, to)

describe('readSpec', () => {
  it('keeps other sections word for word, with the headings below them', () => {
    const { spec } = readSpec(
      `${VALID}\n## Constraints\n\n- Node 20\n\n### Why\n\nold machines\n\n## Empty\n`,
    )
    expect(spec?.notes).toEqual([{ heading: 'Constraints', text: '- Node 20\n\n### Why\n\nold machines' }])
  })

  it('reads every field of a valid spec', () => {
    const { spec, problems } = readSpec(VALID)
    expect(problems).toEqual([])
    expect(spec).toEqual({
      version: '1.0',
      priority: 'must',
      created: '2026-11-16',
      title: 'Export of reports',
      vision: 'People can take their reports with them.',
      inScope: ['CSV export', 'JSON export'],
      notes: [],
      outOfScope: ['PDF export'],
      requirements: [
        {
          id: 'R-001',
          title: 'Export as CSV',
          type: 'functional',
          priority: 'must',
          dependsOn: [],
          description: 'A report can be saved as CSV.',
          criteria: ['`exportCsv(report)` returns one line per row', 'a comma in a value is quoted'],
          line: 24,
        },
        {
          id: 'R-002',
          title: 'Export as JSON',
          type: 'functional',
          priority: 'should',
          dependsOn: ['R-001'],
          description: 'A report can be saved as JSON.\n\nIt has the same fields.',
          criteria: ['`exportJson(report)` returns valid JSON'],
          line: 35,
        },
      ],
    })
  })

  it.each<[string, string, string]>([
    ['no front matter', VALID.slice(VALID.indexOf('# Feature')), '1: no front matter'],
    ['front matter without an end', '---\nversion: 1\n', '1: the front matter is never closed'],
    ['no version', edited('version: "1.0"\n', ''), '1: the front matter has no version'],
    [
      'an unknown priority',
      edited('priority: must', 'priority: high'),
      '3: invalid priority "high" (use must, should or could)',
    ],
    [
      'a day that does not exist',
      edited('2026-11-16', '2026-02-30'),
      '4: invalid created "2026-02-30" (use a date like 2026-01-31)',
    ],
    [
      'a key given twice',
      edited('created:', 'version: 2\ncreated:'),
      '4: version is given twice in the front matter',
    ],
    ['no title', edited('# Feature: Export of reports', ''), '1: no title (# Feature: …)'],
    ['a title without Feature', edited('# Feature: ', '# '), '7: the title does not begin with "# Feature:"'],
    ['no vision', edited(/## Vision\n\n.*\n/, ''), '44: no vision'],
    ['no scope', edited(/## Scope[^]*(?=## Requirements)/, ''), '38: no scope'],
    ['nothing in scope', edited('- CSV export\n- JSON export\n', '- None\n'), '15: nothing is in scope'],
    ['no requirements', VALID.slice(0, VALID.indexOf('### R-001')), '22: no requirements'],
    ['an id twice', edited('R-002', 'R-001'), '35: the id R-001 is used twice (first in line 24)'],
    [
      'an unknown dependency',
      edited('[R-001]', '[R-009]'),
      '38: R-002 depends on R-009, which is not in this spec',
    ],
    ['a cycle', edited('Dependencies:** []', 'Dependencies:** [R-002]'), '27: cycle R-001 → R-002 → R-001'],
    ['a requirement that needs itself', edited('[R-001]', '[R-002]'), '38: cycle R-002 → R-002'],
    [
      'no criterion',
      edited(/- \[ \] `exportJson.*\n/, ''),
      '35: requirement R-002 has no acceptance criterion',
    ],
    [
      'an empty criterion',
      edited('- [ ] a comma in a value is quoted', '- [ ]'),
      '33: an acceptance criterion of R-001 is empty',
    ],
    ['no type', edited('**Type:** functional\n', ''), '24: requirement R-001 has no type'],
    [
      'an unknown type',
      edited('functional', 'funktional'),
      '25: requirement R-001 has the unknown type "funktional" (use functional, non_functional, infrastructure, documentation)',
    ],
    [
      'an unknown priority of a requirement',
      edited('**Priority:** should', "**Priority:** won't"),
      '37: requirement R-002 has the unknown priority "won\'t" (use must, should or could)',
    ],
    [
      'no description',
      edited('**Description:** A report can be saved as CSV.', ''),
      '24: requirement R-001 has no description',
    ],
    ['an id of one digit', edited('### R-001:', '### R-1:'), '24: the id R-1 does not have the form R-001'],
    [
      'a requirement without an id',
      edited('### R-002: ', '### '),
      '35: the requirement "Export as JSON" has no id',
    ],
    [
      'dependencies that are no ids',
      edited('[R-001]', 'the export'),
      '38: cannot read the dependency "the export" of R-002',
    ],
    [
      'two titles',
      edited('## Scope', '# Feature: Other\n\n## Scope'),
      '13: the section # Feature is there twice',
    ],
    [
      'a section twice',
      edited('## Scope', '## Vision\n\nAgain.\n\n## Scope'),
      '13: the section Vision is there twice',
    ],
    [
      'a fence that is never closed',
      edited('It has the same fields.', '```json'),
      '43: code fence is never closed; assuming it ends at the end of the text',
    ],
  ])('reports %s with its line', (_what, text, error) => {
    expect(errorsOf(text)).toContain(error)
    expect(readSpec(text).spec).toBeNull()
  })

  it('reports every mistake at once, by line, each with a remedy', () => {
    const { problems } = readSpec(
      edited('must', 'high')
        .replace('## Vision', '## Visions')
        .replace('[R-001]', '[R-007]')
        .replace('R-002', 'R-001'),
    )
    expect(problems.map(({ line }) => line)).toEqual([3, 35, 38, 47])
    expect(problems.every(({ remedy }) => remedy.length > 5)).toBe(true)
  })

  it.each<[string, string]>([
    ['Windows line ends', VALID.replaceAll('\n', '\r\n')],
    ['a byte order mark', `\uFEFF${VALID}`],
    [
      'comments',
      edited('## Vision', '<!-- draft\nof Ann -->\n## Vision').replace(
        'must\n**Dep',
        'must <!-- confirmed -->\n**Dep',
      ),
    ],
    ['YAML comments and quotes', edited('priority: must', "# ours\npriority: 'must' # agreed")],
    ['checked boxes', VALID.replaceAll('- [ ]', '- [X]')],
    ['star bullets', VALID.replaceAll(/^- /gm, '* ')],
    ['no dependencies as None', edited('[]', 'None')],
    ['no line for dependencies', edited('**Dependencies:** []\n', '')],
    ['quoted dependencies', edited('[R-001]', '["R-001"]')],
    ['linked dependencies', edited('[R-001]', '[R-001](#r-001-export-as-csv) (for the rows)')],
    ['lower-case ids', edited('[R-001]', 'r-001')],
    [
      'labels in lower case without emphasis',
      VALID.replaceAll(/\*\*([\w ]+):\*\*/g, (_, name: string) => `${name.toLowerCase()}:`),
    ],
    ['labels as bullets', VALID.replaceAll(/^\*\*(Type|Priority|Dependencies)/gm, '- **$1')],
    ['labels with the colon outside', VALID.replaceAll(/\*\*([\w ]+):\*\*/g, '**$1**:')],
    ['headings in capitals', edited('## Vision', '## VISION').replace('### In Scope', '### IN SCOPE')],
    ['numbered headings', edited('## Vision', '## 1. Vision').replace('## Scope', '## 2. Scope')],
    ['criteria below a heading', VALID.replaceAll('**Acceptance Criteria:**', '#### Acceptance Criteria')],
    ['criteria without boxes', VALID.replaceAll('- [ ] ', '- ')],
    ['numbered criteria', VALID.replaceAll('- [ ] ', '1. [ ] ')],
    [
      'scope as bold labels',
      edited('### In Scope', '**In Scope:**').replace('### Out of Scope', '**Out of Scope:**'),
    ],
    ['ids in brackets', edited('### R-001:', '### [R-001]')],
    ['words before an id', edited('### R-001:', '### MANDATORY PREREQUISITE R-001:')],
    ['requirements one level deeper', VALID.replaceAll('### R-', '#### R-')],
    ['groups of requirements', edited('### R-002', '### Later\n\n### R-002')],
    ['a whole spec in a code fence', `\`\`\`markdown\n${VALID}\`\`\`\n`],
    [
      'a comment behind a field',
      VALID.replace('priority: must', 'priority: must # or we lose them')
        .replaceAll('**Priority:** should', '**Priority:** should # later')
        .replaceAll('**Type:** functional', '**Type:** functional #core')
        .replace('[R-001]', '[R-001] # its rows')
        .replace('**Dependencies:** []', '**Dependencies:** # none'),
    ],
    ['priorities as "must have"', VALID.replaceAll('**Priority:** must', '**Priority:** Must have')],
    ['blank lines before it', `\n\n${VALID}`],
  ])('accepts %s', (_what, text) => {
    const { spec, problems } = readSpec(text)
    expect(problems).toEqual([])
    const plain = readSpec(VALID).spec
    const lineless = (read: typeof spec) => ({
      ...read,
      requirements: read?.requirements.map((one) => ({ ...one, line: 0 })),
    })
    expect(lineless(spec)).toEqual(lineless(plain))
  })

  it('keeps ids of four digits as they are', () => {
    const { spec } = readSpec(VALID.replaceAll('R-001', 'R-1001'))
    expect(spec?.requirements.map(({ id }) => id)).toEqual(['R-1001', 'R-002'])
    expect(spec?.requirements[1]?.dependsOn).toEqual(['R-1001'])
  })

  it('warns of an unknown key and reads the rest', () => {
    const { spec, problems } = readSpec(edited('created:', 'author: Ann\ncreated:'))
    expect(spec).not.toBeNull()
    expect(problems.map(({ severity, message }) => `${severity}: ${message}`)).toEqual([
      'warning: unknown key "author" in the front matter is ignored',
    ])
  })

  it('takes a block of code in a requirement as part of its description', () => {
    const code = '```json\n# Feature: not a title\n- [ ] not a criterion\n```'
    const { spec } = readSpec(edited('It has the same fields.', code))
    expect(spec?.requirements[1]?.description).toContain(code)
    expect(spec?.requirements[1]?.criteria).toHaveLength(1)
    expect(spec?.title).toBe('Export of reports')
  })

  it('joins the lines of a criterion', () => {
    const { spec } = readSpec(
      edited('returns one line per row', 'returns one line\n      per row\n  - and a header'),
    )
    expect(spec?.requirements[0]?.criteria[0]).toBe(
      '`exportCsv(report)` returns one line per row and a header',
    )
  })

  it('refuses what is too long, empty or no text, with one error', () => {
    expect(errorsOf(VALID + 'x'.repeat(MAX_SPEC_BYTES))).toEqual(['1: the spec is larger than 100 KB'])
    expect(errorsOf(VALID + 'ß'.repeat(MAX_SPEC_BYTES / 2))).toEqual(['1: the spec is larger than 100 KB'])
    expect(errorsOf(' \n')).toEqual(['1: the spec is empty'])
    expect(errorsOf(`${VALID}\0`)).toEqual(['1: this is not a text file'])
  })

  it.each<[string, string]>([
    ['stars', '*'.repeat(90_000)],
    ['blanks', `# ${' '.repeat(90_000)}x`],
    ['hashes', `### R-001: ${'# '.repeat(45_000)}`],
    ['brackets', `**Dependencies:** ${'[('.repeat(45_000)}`],
    ['backticks', '`'.repeat(3).concat('` '.repeat(45_000))],
    ['comments', '<!--'.repeat(22_000)],
    ['headings', '# \n'.repeat(30_000)],
    ['requirements', '### R-001: x\n'.repeat(7_000)],
    ['dependencies', `### R-001: x\n**Dependencies:** ${'R-001, '.repeat(14_000)}`],
    ['labels', '**Type:** '.repeat(9_000)],
    ['bullets', '- [ ] \n'.repeat(14_000)],
    ['dates', `---\ncreated: ${'2026-'.repeat(18_000)}\n---`],
    ['fences', '```\n'.repeat(24_000)],
  ])('reads hostile %s within three seconds of processor time', (_what, text) => {
    const hostile = `${VALID.slice(0, VALID.indexOf('### R-002'))}${text}`.slice(0, MAX_SPEC_BYTES - 10)
    const read = (): void => {
      expect(readSpec(hostile).problems.length).toBeLessThanOrEqual(301)
      readSpec(text)
    }
    expect(processorMs(read)).toBeLessThan(3_000)
  })
})
