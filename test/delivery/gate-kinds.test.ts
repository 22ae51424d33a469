/** Each kind of gate end to end: the real program, a real repository, an agent that gets it wrong. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import type { Lab } from './lab.ts'
import { smallProject, type SmallProject } from './small-project.ts'

interface Proof extends SmallProject {
  readonly exit: number
  readonly after: (lab: Lab) => void
}

async function prove({ exit, after, ...project }: Proof): Promise<void> {
  const lab = smallProject(project)
  try {
    const done = await lab.deliver()
    expect(done.exit, `${done.stdout.slice(-3000)}${done.stderr}`).toBe(exit)
    after(lab)
    await lab.stop()
    expect(lab.processes()).toEqual([])
  } finally {
    await lab.dispose()
  }
}

const GOOD = 'work; report'
const review = (lab: Lab): string => lab.git('show', 'feat/small/working:docs/reviews/small/task-1-review.md')
/** The outcomes of a gate, by attempt. */
const outcomes = (lab: Lab, gate: string): readonly string[] =>
  lab
    .activity()
    .flatMap(({ event, data }) =>
      data['gate'] === gate && data['release'] !== true ? [`${String(data['attempt'])} ${event}`] : [],
    )

test('a failed custom gate is re-run first, then with all others', () =>
  prove({
    task: 'gates: [unit, { name: smoke, command: "test -s src/m1/value" }, { numeric: value, command: "echo value = $(cat src/m1/value)", reference: { value: { value: 2, abs: 0.5 } } }]',
    agent:
      'work; report; if [ "$BOSUN_ATTEMPT" = 1 ]; then echo 7 > src/m1/value; else echo 2.25 > src/m1/value; fi',
    exit: 0,
    after: (lab) => {
      expect(outcomes(lab, 'value')).toEqual(['1 gate_failed', '2 gate_passed', '2 gate_passed'])
      expect(outcomes(lab, 'smoke')).toEqual(['1 gate_passed', '2 gate_passed'])
      expect(lab.briefOf('w-small-1-1')).toContain('prints value = 2 ± 0.5')
      expect(lab.briefOf('w-small-1-2')).toContain('value is 7, off by 5; the reference is 2 ± 0.5')
      expect(review(lab)).toMatch(/\| value +\| passed +\| value is 2.25; the reference is 2 ± 0.5/)
      expect(review(lab)).toMatch(/\| smoke +\| passed +\|/)
    },
  }))

const API = { 'lib/api.py': 'def price(net, vat=0.2):\n    return net\n' }
const BREAK = 'work; printf "def price(net):\\n    return net\\n" > lib/api.py; report'
const MODIFY = 'files: { create: [src/m1/value], modify: [lib/api.py] }'

test('a break of a public interface that the plan does not allow never lands', () =>
  prove({
    files: API,
    task: `${MODIFY}, gates: [unit, contract]`,
    agent: BREAK,
    exit: 11,
    after: (lab) => {
      // The same break again goes to a person, without a third worker.
      expect(outcomes(lab, 'contract')).toEqual(['1 gate_failed', '2 gate_failed'])
      expect(lab.briefOf('w-small-1-2')).toContain(
        'contract: lib/api.py:1: breaks: price no longer takes vat: def price(net, vat=0.2) → def price(net)',
      )
    },
  }))

test('a break that the plan allows lands', () =>
  prove({
    files: API,
    task: `${MODIFY}, gates: [unit, contract], breaking_change: true`,
    agent: BREAK,
    exit: 0,
    after: (lab) => expect(review(lab)).toMatch(/\| contract +\| passed +\| 1 break, which the plan allows/),
  }))

test('a token that a worker writes into the tree in another encoding is found and not quoted', () =>
  prove({
    agent: `${GOOD}; printf %s "$BOSUN_TOKEN" | base64 -w0 > src/m1/value; echo "$BOSUN_TOKEN" >> "$repo/../tokens"`,
    exit: 11,
    after: (lab) => {
      expect(outcomes(lab, 'secrets')[0]).toBe('1 gate_failed')
      const brief = lab.briefOf('w-small-1-2')
      expect(brief).toMatch(
        /secrets: src\/m1\/value:1: the token of w-small-1-1, in base64 \(sha256 [0-9a-f]{8}\)/,
      )
      const tokens = readFileSync(join(lab.folder, 'tokens'), 'utf8').trim().split('\n')
      expect(tokens).toHaveLength(3)
      for (const token of tokens) expect(JSON.stringify(lab.activity())).not.toContain(token)
    },
  }))

test('a manifest that requires more than its lock file never lands', () =>
  prove({
    files: {
      'package.json': '{"name":"small","dependencies":{}}\n',
      'package-lock.json': '{"lockfileVersion":3,"packages":{"":{"dependencies":{}}}}\n',
    },
    task: 'files: { create: [src/m1/value], modify: [package.json] }',
    agent: `work; echo '{"name":"small","dependencies":{"left":"1"}}' > package.json; report`,
    exit: 11,
    after: (lab) => expect(outcomes(lab, 'dependencies')[0]).toBe('1 gate_failed'),
  }))
