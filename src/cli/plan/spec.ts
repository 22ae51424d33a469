/** `bosun spec check`: the check of a spec, for people and for scripts. */
import { usageRefusal } from '../../lib/refusal.ts'
import { resultOf, type Call, type CommandResult } from '../command.ts'
import type { SpecReading } from '../../core/spec/read-spec.ts'
import { counted } from '../../lib/text/counted.ts'
import { terminalLine } from '../../lib/text/terminal-text.ts'
import type { Style } from '../terminal/terminal.ts'
import { checkSpecFile } from '../../app/architect/check-spec.ts'
import { problemLines } from './plan-view.ts'

export async function checkSpec(call: Call): Promise<CommandResult> {
  const [action = '', path = ''] = call.args
  if (action !== 'check') throw usageRefusal(`unknown action "${action}"`, 'Use: bosun spec check FILE')
  const { cwd, width } = call.terminal
  const reading = await checkSpecFile({ path, cwd, readInput: (most) => call.terminal.readInput(most) })
  return resultOf(
    specDocument(path, reading),
    (style) => specReport(path, reading, { style, width }),
    reading.spec === null ? 'failed' : 'ok',
  )
}

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
  const listed = problemLines(problems, { style, width })
  const errors = problems.filter(({ severity }) => severity === 'error').length
  const criteria = spec?.requirements.reduce((sum, one) => sum + one.criteria.length, 0) ?? 0
  const verdict =
    spec === null
      ? style.red(`${terminalLine(path)}: ${counted(errors, 'error')}`)
      : `${style.green('valid')}: ${terminalLine(spec.title)} (version ${terminalLine(spec.version)}, ${spec.priority}), ${counted(spec.requirements.length, 'requirement')}, ${counted(criteria, 'criterion', 'criteria')}`
  return `${[...listed, verdict].join('\n')}\n`
}
