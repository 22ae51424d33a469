import { expect, test } from 'vitest'
import { documentProblems } from '../../../test/helpers/json-documents.ts'
import type { Call } from '../command.ts'
import { startRequest } from './start-request.ts'

test('a request that the person does not want to begin starts nothing, and says so', async () => {
  const asked: string[] = []
  const terminal = {
    cwd: '/',
    env: {},
    input: 'terminal',
    converse: async () => ({
      ask: async (question: string) => {
        asked.push(question)
        return 'n'
      },
      close: () => undefined,
    }),
  }
  const services = {
    interruption: () => new AbortController().signal,
    newProject: async () => ({
      folder: '/work',
      lacks: 'repository',
      hasFiles: false,
      create: () => Promise.reject(new Error('the person said no')),
    }),
    daemon: () => Promise.reject(new Error('the person said no')),
  }
  const call = {
    terminal,
    services,
    args: ['add a search page'],
    json: false,
    mayAsk: true,
    flag: () => false,
    option: () => undefined,
    all: () => [],
  }
  const { form, document } = await startRequest(call as unknown as Call)
  expect(asked).toEqual([expect.stringContaining('/work is not a git repository')])
  expect(form).toBe('start declined')
  expect(documentProblems({ schema: 'bosun.start/v1', ...document }, ['start declined'])).toEqual([])
})
