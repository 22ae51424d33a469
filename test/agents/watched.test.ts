/** What is observed of a worker while it runs, by real processes that each behave in one way. */
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { SupervisedAgent } from '../../src/agents/supervised-agent.ts'
import { detectContainment, type Containment } from '../../src/lib/process/containment.ts'
import type { AgentEvent, Job } from '../../src/ports/agent.ts'
import { labAgent, labJob, newTag, withTag, type Lab } from './lab.ts'
import { tempFolder } from '../helpers/temp-folder.ts'

const best = await detectContainment()
const kinds: Readonly<Record<string, Containment>> = {
  ...(best.kind === 'namespace' ? { namespace: best } : {}),
  group: { kind: 'group' },
}
const SOON = { timeout: 60_000 }

for (const [kind, containment] of Object.entries(kinds)) {
  describe(`in a ${kind}`, () => {
    let lab: Lab
    let agent: SupervisedAgent
    let workers: string[] = []
    const received: AgentEvent[] = []

    beforeAll(async () => {
      lab = { root: tempFolder('watched'), tag: newTag(), containment }
      agent = await labAgent(lab)
      agent.listen((event) => received.push(event))
    })
    afterAll(async () => {
      await Promise.all(workers.map((worker) => agent.stop(worker, 'cancelled')))
      await agent.close()
      expect(withTag(lab.tag)).toEqual([])
    })

    const begin = async (fixture: string, more?: Partial<Job>): Promise<string> => {
      const worker = `w-lab-${workers.length + 1}-1`
      workers = [...workers, worker]
      await agent.start(labJob(worker, fixture, more))
      return worker
    }
    const of = <K extends AgentEvent['kind']>(worker: string, kindOf: K) =>
      received.filter(
        (event): event is Extract<AgentEvent, { kind: K }> =>
          event.kind === kindOf && event.worker === worker,
      )
    const signs = (worker: string): readonly string[] => of(worker, 'sign').flatMap((event) => event.of ?? [])
    const reports = (worker: string): number => of(worker, 'reported').length
    const halts = (worker: string): readonly boolean[] => of(worker, 'halted').map((event) => event.isHalted)
    const fileOf = (worker: string, name: string): string => join(lab.root, 'workers', worker, name)
    const output = (worker: string): string => readFileSync(fileOf(worker, 'output.log'), 'utf8')

    test('work shows as processor time wherever it is done, and silence shows as nothing', async () => {
      const silent = await begin('is-silent.sh')
      const busy = await Promise.all(
        ['busy.sh', 'busy-child.sh', 'busy-children.sh'].map((name) => begin(name)),
      )
      for (const worker of busy) await expect.poll(() => signs(worker).length, SOON).toBeGreaterThan(2)
      await Promise.all(busy.map((worker) => agent.stop(worker, 'cancelled')))
      for (const worker of busy) expect(new Set(signs(worker))).toEqual(new Set(['cpu']))
      expect(signs(silent)).toEqual([])
    }, 60_000)

    test('each kind of sign is reported', async () => {
      const worker = await begin('works-aloud.sh')
      await expect.poll(() => new Set(signs(worker)), SOON).toEqual(new Set(['output', 'cpu', 'files']))
      await agent.stop(worker, 'cancelled')
    })

    test('a file written before the first look is reported', async () => {
      const worker = await begin('writes-once.sh')
      await expect.poll(() => signs(worker), SOON).toContain('files')
      await agent.stop(worker, 'cancelled')
    })

    test('a complete report is reported while its worker runs, and again when it is rewritten', async () => {
      const worker = await begin('is-silent.sh')
      const report = fileOf(worker, 'desk/report.json')
      writeFileSync(report, '{"explanation": "it is going so')
      const other = await begin('reports-and-hangs.sh')
      await expect.poll(() => reports(other), SOON).toBe(1)
      expect(reports(worker)).toBe(0)
      writeFileSync(report, '{"explanation": "it is going so well"}')
      await expect.poll(() => reports(worker), SOON).toBe(1)
      writeFileSync(report, '{"explanation": "it went well"}')
      await expect.poll(() => reports(worker), SOON).toBe(2)
      expect(reports(other)).toBe(1)
    })

    test.each(['halts-itself.sh', 'halts-in-child.sh'])(
      '%s is halted until it is continued',
      async (name) => {
        const worker = await begin(name)
        await expect.poll(() => halts(worker), SOON).toEqual([true])
        expect(output(worker)).toBe('')
        const isHeard = await agent.send(worker, {
          kind: 'prompt',
          message: { id: 1, kind: 'nudge', text: 'go on', about: 'nudge', by: 'ada' },
        })
        expect(isHeard).toBe(false)
        await expect.poll(() => output(worker), SOON).toBe('went on\n')
        await expect.poll(() => halts(worker), SOON).toEqual([true, false])
      },
    )

    test('a new listener receives the current state of a worker', async () => {
      const [halted, reported] = [await begin('halts-itself.sh'), await begin('reports-and-hangs.sh')]
      await expect.poll(() => halts(halted).length + reports(reported), SOON).toBe(2)
      const late: AgentEvent[] = []
      const unlisten = agent.listen((event) => late.push(event))
      await expect.poll(() => late, SOON).toContainEqual({ kind: 'halted', worker: halted, isHalted: true })
      expect(late).toContainEqual({ kind: 'reported', worker: reported })
      unlisten()
    })

    test('one that was halted is asked to end like any other', async () => {
      const worker = await begin('halts-then-finishes.sh')
      await expect.poll(() => halts(worker), SOON).toEqual([true])
      await agent.stop(worker, 'stalled')
      await expect.poll(() => of(worker, 'ended'), SOON).toMatchObject([{ end: { kind: 'done' } }])
    })

    test('one that waits for input finds none, and ends', async () => {
      const worker = await begin('asks-for-input.sh')
      await expect
        .poll(() => of(worker, 'ended'), SOON)
        .toMatchObject([{ end: { reason: 'it exited with code 4; last output: nobody answers' } }])
    })

    test('one that was given more time outlives its first limit, and a Bosun that died meanwhile', async () => {
      const worker = await begin('is-silent.sh', { timeLimitMs: 3000 })
      await agent.extend(worker, 600_000)
      await agent.close()
      agent = await labAgent(lab)
      agent.listen((event) => received.push(event))
      const other = await begin('is-silent.sh', { timeLimitMs: 3000 })
      await agent.extend(other, 2000)
      await expect.poll(() => of(other, 'ended').length, SOON).toBe(1)
      expect(of(other, 'ended')).toMatchObject([{ end: { kind: 'stopped', cause: 'time_limit' } }])
      expect(await agent.standing(worker)).toBe('running')
    })
  })
}
