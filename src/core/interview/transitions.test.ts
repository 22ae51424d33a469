import { expect, test } from 'vitest'
import {
  INTERVIEW_STATES,
  nextState,
  SUSPENDABLE,
  SUSPENSIONS,
  TRANSITIONS,
  TRIGGERS,
} from './transitions.ts'

/** The matrix of the specification, word for word. */
const MATRIX = `
| WAITING             | WAITING             | Polling for state changes (no activity)          |
| WAITING             | WORKING             | StartInterview() with bootstrap needed           |
| WAITING             | AWAIT_USER          | StartInterview() with no bootstrap               |
| WAITING             | PREVIEW             | UploadSpec() method called                       |
| WAITING             | DONE                | Shutdown signal                                  |
| AWAIT_USER          | AWAIT_USER          | Still waiting for user input                     |
| AWAIT_USER          | WORKING             | User sends message via chat                      |
| AWAIT_USER          | ERROR               | Timeout or error                                 |
| AWAIT_USER          | DONE                | Shutdown signal                                  |
| WORKING             | WORKING             | Continue working (tool calls)                    |
| WORKING             | AWAIT_USER          | await_user tool called                           |
| WORKING             | PREVIEW             | spec_submit tool called (spec ready)             |
| WORKING             | ERROR               | Unrecoverable error                              |
| WORKING             | DONE                | Shutdown signal                                  |
| PREVIEW             | PREVIEW             | Polling for state changes (no action)            |
| PREVIEW             | AWAIT_USER          | PreviewAction("continue_interview") called       |
| PREVIEW             | AWAIT_ARCHITECT     | PreviewAction("submit_to_architect") called      |
| PREVIEW             | ERROR               | Error                                            |
| PREVIEW             | DONE                | Shutdown signal                                  |
| AWAIT_ARCHITECT     | AWAIT_ARCHITECT     | Still waiting for architect response             |
| AWAIT_ARCHITECT     | WORKING             | Architect provides feedback (needs changes)      |
| AWAIT_ARCHITECT     | WAITING             | Architect approves spec                          |
| AWAIT_ARCHITECT     | ERROR               | Error                                            |
| AWAIT_ARCHITECT     | DONE                | Shutdown signal                                  |
| ERROR               | WAITING             | Reset after error                                |
| ERROR               | DONE                | Shutdown signal                                  |
`

test('the table of transitions is the matrix of the specification, row by row', () => {
  const rows = MATRIX.trim()
    .split('\n')
    .map((row) =>
      row
        .split('|')
        .slice(1, -1)
        .map((cell) => cell.trim()),
    )
  expect(TRANSITIONS.map(({ from, to, means }) => [from, to, means])).toEqual(rows)
})

test('what the table does not name is refused', () => {
  const legal = new Set(
    [...TRANSITIONS, ...SUSPENSIONS].map(({ from, on, to }) =>
      on === 'services_healthy' ? `${from} ${on} ${to}` : `${from} ${on}`,
    ),
  )
  for (const state of INTERVIEW_STATES) {
    for (const on of TRIGGERS) {
      for (const suspendedFrom of SUSPENDABLE) {
        const origin = state === 'SUSPEND' ? suspendedFrom : null
        const name = on === 'services_healthy' ? `${state} ${on} ${origin}` : `${state} ${on}`
        const next = nextState({ state, suspendedFrom: origin }, on)
        expect(next !== null, `${name} → ${next}`).toBe(legal.has(name))
      }
    }
  }
})

test('a trigger has one outcome in each state', () => {
  const seen = [...TRANSITIONS, ...SUSPENSIONS].filter(({ on }) => on !== 'services_healthy')
  const pairs = seen.map(({ from, on }) => `${from} ${on}`)
  expect(new Set(pairs).size).toBe(pairs.length)
})

test('an interview is suspended from any state but DONE, ERROR and SUSPEND, and returns to where it was', () => {
  for (const state of INTERVIEW_STATES) {
    const isLegal = nextState({ state, suspendedFrom: null }, 'service_unavailable') === 'SUSPEND'
    expect(isLegal, state).toBe(!['DONE', 'ERROR', 'SUSPEND'].includes(state))
  }
  for (const suspendedFrom of SUSPENDABLE) {
    expect(nextState({ state: 'SUSPEND', suspendedFrom }, 'services_healthy')).toBe(suspendedFrom)
    expect(nextState({ state: 'SUSPEND', suspendedFrom }, 'shutdown')).toBe('ERROR')
    expect(nextState({ state: 'SUSPEND', suspendedFrom }, 'error')).toBe('ERROR')
  }
})

test('nothing leads out of DONE', () => {
  for (const on of TRIGGERS) expect(nextState({ state: 'DONE', suspendedFrom: null }, on)).toBeNull()
})
