/** Bugs to plant in a copy of the rules, one at a time. Each edit must match its file exactly once. */
export interface PlantedBug {
  readonly name: string
  readonly edits: readonly { readonly file: string; readonly find: string; readonly replace: string }[]
}

const bug = (name: string, file: string, find: string, replace: string): PlantedBug => ({
  name,
  edits: [{ file, find, replace }],
})

export const PLANTED_BUGS: readonly PlantedBug[] = [
  bug(
    'a task is started although the plan leaves a point of it open',
    'src/core/state/add-tasks.ts',
    'if (openQuestions(task).length === 0) continue',
    'if (openQuestions(task).length < 99) continue',
  ),
  bug(
    'a change that grew is reviewed by the rules alone',
    'src/core/review/review-need.ts',
    '...[formatGrowth(task) ?? []].flat(),',
    '',
  ),
  bug(
    'work lands on a tree it was not proven on',
    'src/core/scheduling/landing-queue.ts',
    'return queueOf(state)[0] === task && isOnCurrentBase(state, task, undefined)',
    'return true',
  ),
  bug(
    'work waits for ever behind a head that failed',
    'src/core/scheduling/landing-queue.ts',
    '} else if (!isOnCurrentBase(state, task, previous)) {',
    '} else if (state.landings < 0) {',
  ),
  bug(
    'a landing that a crash cut short is made again',
    'src/simulation/scripted-workspace.ts',
    'if (before !== undefined) return committed(before)',
    'if (before !== undefined && this.landed.length > 99) return committed(before)',
  ),
  bug(
    'a failure on top of unproven work is taken for the fault of the work itself',
    'src/core/events/task/gated.ts',
    'if (areTasksBelowProven(state, task)) gatesFailed(state, task, at)',
    'if (task.draft !== null) gatesFailed(state, task, at)',
  ),
  bug(
    'a failed head keeps its place in the queue',
    'src/core/scheduling/landing-queue.ts',
    'if (task.turn === null || QUEUED_STEPS.has(task.step)) return',
    "if (task.turn === null || task.step !== 'completed') return",
  ),
  bug(
    'more agents work at once than there are slots for',
    'src/core/decide/pick-task.ts',
    'state.manned + state.keptSlots < settings.maxParallelAgents',
    'state.manned <= settings.maxParallelAgents',
  ),
  bug(
    'others are started beside a critical task',
    'src/core/decide/pick-task.ts',
    'state.serialHolding > 0 || ',
    '',
  ),
  bug(
    'a critical task is started while others run',
    'src/core/decide/pick-task.ts',
    'if (holding.size > 0) return undefined',
    '',
  ),
  bug(
    'only the very same area is locked, not what contains it',
    'src/core/scheduling/area-locks.ts',
    'for (let above: Area | null = area; above !== null; above = above.parent) {\n      if (above.taken > 0) return above.name\n    }',
    'if (area.taken > 0) return area.name',
  ),
  bug(
    'low tasks starve',
    'src/core/decide/pick-task.ts',
    'if (state.completedSinceLow >= settings.antiStarvationInterval) {',
    'if (state.completedSinceLow >= 3 * settings.antiStarvationInterval) {',
  ),
  bug(
    'a task is ready when one dependency is still open',
    'src/core/scheduling/dependents.ts',
    'if (unmet === 0) free(',
    'if (unmet <= 1) free(',
  ),
  bug(
    'work piles up in front of the reviewer',
    'src/core/decide/pick-task.ts',
    ' || resultsForPerson(state) >= settings.maxWaitingForReview',
    '',
  ),
  bug(
    'one fix attempt too many',
    'src/core/decide/next-move.ts',
    'counters.fixes >= fixAttempts',
    'counters.fixes > fixAttempts',
  ),
  bug(
    'one restart too many',
    'src/core/decide/next-move.ts',
    'if (counters.restarts >= MAX_RESTARTS)',
    'if (counters.restarts > MAX_RESTARTS)',
  ),
  bug(
    'revisions without end',
    'src/core/fold/answers.ts',
    'task.counters.revisions < MAX_REVISIONS',
    'task.counters.revisions < 2 * MAX_REVISIONS',
  ),
  bug(
    'an interruption is paid for like a crash',
    'src/core/events/worker/ended.ts',
    "return { kind: 'interrupted', reason: end.reason }",
    "return { kind: 'lost', reason: end.reason }",
  ),
  bug(
    "a provider's limit is paid for like a crash",
    'src/core/events/worker/ended.ts',
    "return { kind: 'limited', until: end.until }",
    "return { kind: 'lost', reason: 'limited' }",
  ),
  bug(
    'workers are sent while their provider is limited',
    'src/core/watch/providers/parking.ts',
    "if (parked.until !== null) return { kind: 'held', wakeAt: parked.until }",
    '',
  ),
  bug(
    'a provider that does not work is tried every minute',
    'src/core/fold/providers.ts',
    'probe: worker, probeAt: at + LIMIT_PROBE_MS, isNews: true',
    'probe: worker, probeAt: at + 60_000, isNews: true',
  ),
  bug(
    'a provider counts as working again without a probe',
    'src/core/watch/providers/parking.ts',
    'if (parked.over !== null) return parked.over',
    "if (parked.over !== null || parked.isAnnounced) return parked.over ?? 'it has been long'",
  ),
  bug(
    'workers are sent although all fail alike',
    'src/core/watch/providers/breaker.ts',
    'return isDue ? null : {}',
    'return null',
  ),
  bug(
    'what could not be checked is green',
    'src/core/events/task/gated.ts',
    'const unknown = gatesThat(event.verdicts, ',
    'const unknown: GateName[] = [] || gatesThat(event.verdicts, ',
  ),
  bug(
    'the gates that failed before are the only ones run again',
    'src/core/events/task/gated.ts',
    "} else if (event.scope === 'failed') {",
    "} else if (event.scope === 'failed' && task.attempt === 1) {",
  ),
  bug(
    'an override covers gates that did not run',
    'src/core/fold/proof.ts',
    "return allGates(task).every(isSettled) ? 'reviewing' : 'gating'",
    "return allGates(task).some(isSettled) ? 'reviewing' : 'gating'",
  ),
  bug(
    'critical work is not reviewed',
    'src/core/review/review-need.ts',
    "task.draft?.report?.selfAssessment === 'uncertain' ? ONE_UP[task.tier] : task.tier",
    "task.tier === 'critical' ? 'low' : task.tier",
  ),
  bug(
    "a person's approval is not waited for",
    'src/core/fold/proof.ts',
    "return task.tier === 'critical' ? 'awaiting_person' : 'committing'",
    "return 'committing'",
  ),
  bug(
    'risks on critical work are accepted by the rules',
    'src/core/decide/owed-plan.ts',
    'if (risksForPerson(state).length > 0) {',
    'if (risksForPerson(state).length > 99) {',
  ),
  bug(
    'it is released before the layers work together',
    'src/core/decide/owed-plan.ts',
    'unfinished(state) === 0 && areLayersPassed(state)',
    'unfinished(state) === 0',
  ),
  bug(
    'remediation without end',
    'src/core/decide/owed-plan.ts',
    'release.remediations >= MAX_REMEDIATION_ROUNDS',
    'release.remediations > MAX_REMEDIATION_ROUNDS',
  ),
  bug(
    'a pause does not stop retries',
    'src/core/decide/owed-task.ts',
    'return state.paused === null ? owedByDecision(state, task, moment.now) : {}',
    'return owedByDecision(state, task, moment.now)',
  ),
  bug(
    'a jump of the clock is taken for time that passed',
    'src/core/events/plan/upkeep.ts',
    'if (task.live !== null) task.live = movedBy(task.live, byMs)',
    '',
  ),
  bug(
    'a worker is stopped before its work is saved',
    'src/engine/performers/perform.ts',
    "if (effect.role !== 'reviewer') await world.workspace.save(effect)",
    '',
  ),
  bug(
    'a PM that comes back judges before it has listened',
    'src/engine/plan-engine.ts',
    'for (const ended of ends) await this.#receiveEnd(ended)',
    '',
  ),
  {
    name: 'an end is acknowledged before it is written',
    edits: [
      {
        file: 'src/engine/plan-engine.ts',
        find: '    for (let isWritten = false; !isWritten;) {\n',
        replace:
          '    await this.#parts.world.agent.acknowledge(event.worker)\n    for (let isWritten = false; !isWritten;) {\n',
      },
    ],
  },
  {
    name: 'the words of an old attempt count for the new one',
    edits: [
      {
        file: 'src/engine/external-events.ts',
        find: 'if (task.live?.worker === worker) return task',
        replace: "if (task.live?.worker.replace(/\\d+$/, '') === worker.replace(/\\d+$/, '')) return task",
      },
      {
        file: 'src/engine/external-events.ts',
        find: 'const { worker, report, agent, usage, lastWords } = event',
        replace:
          'const { report, agent, usage, lastWords } = event\n  const worker = task.live?.worker ?? event.worker',
      },
    ],
  },
  bug(
    'an effect that failed is never tried again',
    'src/core/decide/owed.ts',
    'if (trouble.notBefore > this.#now) this.#wake(trouble.notBefore)\n    else this.#effects.push(effect)',
    '',
  ),
  bug(
    'an approval goes for another change as well',
    'src/core/events/task/gated.ts',
    'approved !== null && approved.patch === draft?.patch && approved.attempt === attempt',
    'approved !== null && draft !== null && approved.attempt === attempt',
  ),
  bug(
    'the rules give a worker as much time as it wants',
    'src/core/watch/requests/request-answers.ts',
    'if (minutes > left || left === 0) {',
    'if (left === Infinity) {',
  ),
  bug(
    'an unanswered request stays open',
    'src/core/watch/requests/requests.ts',
    'if (now >= request.at + rules.requestMs) return [answered(one, expiredAnswer(one))]',
    '',
  ),
  bug(
    'a worker may ask without end',
    'src/core/watch/requests/requests.ts',
    ' || openRequests(live).length >= MOST_OPEN_REQUESTS\n',
    '\n',
  ),
  bug(
    'a worker is judged by a bare timer',
    'src/core/watch/health.ts',
    '    seen ?? 0,\n    contact ?? 0,\n    leased,\n',
    '',
  ),
  bug(
    'a tool call does not excuse silence',
    'src/core/watch/health.ts',
    '    contact ?? 0,\n    leased,\n',
    '    contact ?? 0,\n',
  ),
  bug(
    'a check-in is not a sign of life',
    'src/core/watch/health.ts',
    '    seen ?? 0,\n    contact ?? 0,\n',
    '    seen ?? 0,\n',
  ),
  bug(
    'a PM that was frozen judges at once',
    'src/engine/plan-engine.ts',
    'const { pause, isLong, listenMs } = this.#clockDrift.takeAbsence()',
    'const { pause, isLong, listenMs } = { pause: null, isLong: false, listenMs: null } as any',
  ),
  bug(
    'a worker is killed without an alert',
    'src/core/watch/watch-worker.ts',
    'endOf, alertOf, stopOf',
    'endOf, stopOf',
  ),
  bug(
    'a warning is repeated',
    'src/core/watch/watch-worker.ts',
    'highest === undefined || live.watch.sentAt[about(highest)] !== undefined',
    'highest === undefined',
  ),
  bug(
    'silence is taken for a stall before the longest call of a model is over',
    'src/core/watch/watch-worker.ts',
    'seen.quietMs >= rules.midway.endMs && seen.isDeaf',
    'seen.quietMs >= rules.stalledMs',
  ),
  bug(
    'a stall is reported late',
    'src/core/watch/rules.ts',
    'const answerMs = silenceMs / 5',
    'const answerMs = silenceMs / 2',
  ),
  bug(
    'life after a silence is seen only at the next look',
    'src/engine/observations.ts',
    '>= this.#silenceMs',
    '>= Infinity',
  ),
  bug(
    'what was observed does not move with the clock',
    'src/engine/observations.ts',
    'if (byMs === 0) return',
    'if (byMs !== Infinity) return',
  ),
  bug(
    'a person overrides without a name',
    'src/core/answers/answer-rules.ts',
    'return named(answer.by) !== null',
    'return named(answer.by) !== undefined',
  ),
  bug(
    'an answer without the words it needs counts',
    'src/core/answers/answer-rules.ts',
    'if (isSilent && needsFeedback(',
    "if (choice === '' && needsFeedback(",
  ),
]
