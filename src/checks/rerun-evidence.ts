/** Reruns the commands that a release is based on, in a clean checkout of the released tree. */
import type { Rerun } from '../core/delivery/release/compare-rerun.ts'
import { commandText } from '../core/test-reports/focus-command.ts'
import { measuredValues } from '../core/gates/tests/reference-values.ts'
import { reportHintOf, type ReportHint } from '../core/test-reports/test-report.ts'
import { judgeRun } from '../core/gates/verdicts.ts'
import type { RerunRequest } from '../ports/release-repository.ts'
import { commandsFor, type Commands } from './runner/commands.ts'
import { SiteRuns } from './runner/site-runs.ts'
import { openTrialSite, type TrialPlace } from './trial-site.ts'

/** The order of the release: tests may need build output. */
const ORDER = ['lint', 'typecheck', 'build', 'unit', 'migrations', 'milestone']
/** The length at which gate-site.ts cuts a command's text. */
const KEPT_COMMAND = 500

export async function rerunEvidence(
  place: TrialPlace,
  request: RerunRequest,
  signal: AbortSignal,
): Promise<readonly Rerun[]> {
  const { environment, onStart } = request
  const call = { tree: request.tree, purpose: 'release' as const, signal }
  await using site = await openTrialSite(place, environment, call)
  const { commands } = commandsFor(environment, site.files.listing(), null)
  const runs = new SiteRuns(site, commands)
  if (commands.setup !== null && request.evidence.length > 0) onStart?.(commandText(commands.setup))
  const broken = request.evidence.length === 0 ? null : await runs.setUp()
  const ready = broken === null ? '' : `setup failed: ${judgeRun(broken.evidence).summary}`
  const reruns: Rerun[] = []
  for (const one of inOrder(request.evidence)) {
    if (ready === '') onStart?.(one.command)
    reruns.push(await again(runs, one, ready))
  }
  return reruns
}

const gateOf = (claim: string): string => claim.split(' ')[0] ?? ''

function inOrder(evidence: RerunRequest['evidence']): RerunRequest['evidence'] {
  return evidence.toSorted((a, b) => ORDER.indexOf(gateOf(a.claim)) - ORDER.indexOf(gateOf(b.claim)))
}

async function again(
  runs: SiteRuns,
  { claim, command, values }: RerunRequest['evidence'][number],
  notReady: string,
): Promise<Rerun> {
  const isCut = command.length >= KEPT_COMMAND
  const notRun = isCut ? 'its command was too long to be recorded in full' : notReady
  const common = { claim, command, notRun }
  if (notRun !== '') return { ...common, ending: { kind: 'aborted' }, counts: null }
  if (gateOf(claim) !== 'unit') {
    // Migrations run "up" twice, and the second run counts.
    const isOnce = gateOf(claim) !== 'migrations'
    const { evidence, stdout } = await (isOnce ? runs.plain(command) : runs.site.run(command))
    const measured = values === undefined ? {} : { values: measuredValues(stdout, values) }
    return { ...common, ending: evidence.ending, counts: null, ...measured }
  }
  const { ran } = await runs.tests(command, hintFor(runs.commands, command))
  return { ...common, ending: ran.evidence.ending, counts: ran.evidence.counts }
}

/** How to read its report, if the settings still name this command. */
function hintFor({ test }: Commands, command: string): ReportHint {
  return test !== null && commandText(test.command) === command ? test.hint : reportHintOf(undefined)
}
