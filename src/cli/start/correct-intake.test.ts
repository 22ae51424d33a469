import { describe, expect, test } from 'vitest'
import type { IntakeAnswer } from '../../protocol/intake.ts'
import type { Call } from '../command.ts'
import { correctIntake } from './correct-intake.ts'

const QUESTION = {
  id: 'type',
  text: 'What is it?',
  options: [{ key: 'bug_fix', label: 'Something that is broken', consequence: 'a fixer' }],
  default: 'bug_fix',
}

/** A person who presses Ctrl-C at the first question, and otherwise nothing. */
async function interruptAt(questions: readonly unknown[]): Promise<IntakeAnswer | null> {
  const interruption = new AbortController()
  const ask = () => {
    interruption.abort()
    return new Promise<string | null>(() => undefined)
  }
  const dialogue = { ask, edit: async () => null, close: () => undefined }
  const terminal = { converse: async () => dialogue, printMessage: () => undefined }
  const call = { terminal, services: { interruption: () => interruption.signal } } as unknown as Call
  const intake = { questions } as unknown as IntakeAnswer
  return correctIntake(call, { intake, overrides: {}, again: async () => intake })
}

describe('correctIntake', () => {
  test('Ctrl-C at the last question starts nothing', async () => {
    expect(await interruptAt([])).toBeNull()
  })

  test('Ctrl-C at a question about the request starts nothing', async () => {
    expect(await interruptAt([QUESTION])).toBeNull()
  })
})
