/** The check of a spec, for people and for scripts. */
import type { SpecReading } from '../../core/spec/read-spec.ts'
import { counted } from '../../lib/text/counted.ts'
import { terminalLine } from '../../lib/text/terminal-text.ts'
import { wrapText } from '../../lib/text/text-width.ts'
import type { Style } from '../terminal/terminal.ts'

/** The keys and their order are the contract with scripts. */
export function specDocument(path: string, { spec, problems }: SpecReading) {
  return {
    file: path,
    valid: spec !== null,
    spec:
      spec === null
        ? null
        : {
            title: spec.title,
            version: spec.version,
            priority: spec.priority,
            created: spec.created,
            vision: spec.vision,
            in_scope: spec.inScope,
            out_of_scope: spec.outOfScope,
            requirements: spec.requirements.map((one) => ({
              id: one.id,
              title: one.title,
              type: one.type,
              priority: one.priority,
              dependencies: one.dependsOn,
              description: one.description,
              acceptance_criteria: one.criteria,
              line: one.line,
            })),
          },
    problems,
  }
}

export function specReport(
  path: string,
  { spec, problems }: SpecReading,
  { style, width }: { readonly style: Style; readonly width: number },
): string {
  const listed = problems.flatMap(({ severity, file, line, message, remedy }) => [
    `${style.bold(terminalLine(`${file}:${line}:`))} ${severity === 'error' ? style.red('error:') : style.yellow('warning:')} ${terminalLine(message)}`,
    ...wrapText(terminalLine(remedy), width - 2).map((text) => `  ${style.dim(text)}`),
  ])
  const errors = problems.filter(({ severity }) => severity === 'error').length
  const verdict =
    spec === null
      ? style.red(`${terminalLine(path)}: ${counted(errors, 'error')}`)
      : `${style.green('valid')}: ${terminalLine(spec.title)} (version ${terminalLine(spec.version)}, ${spec.priority}), ${counted(spec.requirements.length, 'requirement')}, ${counted(
          spec.requirements.reduce((sum, { criteria }) => sum + criteria.length, 0),
          'criterion',
        ).replace(/criterions$/, 'criteria')}`
  return `${[...listed, verdict].join('\n')}\n`
}
