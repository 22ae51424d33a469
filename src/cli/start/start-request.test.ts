import { expect, test } from 'vitest'
import { documentProblems } from '../../../test/helpers/json-documents.ts'
import type { Call } from '../command.ts'
import { styleOf } from '../terminal/terminal.ts'
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
    machine: async () => ({ brain: async () => null }),
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
  const { document } = await startRequest(call as unknown as Call)
  expect(asked).toEqual([expect.stringContaining('/work is not a git repository')])
  expect(documentProblems({ schema: 'bosun.start/v1', ...document }, ['start declined'])).toEqual([])
})

test('a person is not asked to begin what cannot be read', async () => {
  const questions = [{ id: 'request', text: 'What should be done?', by: 'lines', options: [], default: null }]
  const intake = {
    title: 'fix #42',
    form: 'sentence',
    type: null,
    scope: null,
    workflow: null,
    judged_by: null,
    not_judged: 'not judged: no model',
    answer: null,
    work: {
      criteria: [],
      files: { create: [], modify: [] },
      tests_to_add: [],
      constraints: [],
      out_of_scope: [],
    },
    questions,
    reasons: [],
    summary: 'one task',
    estimate: {
      tasks: { least: 1, most: 1 },
      workers: { least: 1, most: 1 },
      tokens: null,
      basis: 'guess',
      time_ms: { least: 1, most: 2 },
    },
    next: 'ask',
    plan: null,
  }
  const call = {
    terminal: {
      cwd: '/',
      env: {},
      input: 'terminal',
      messageStyle: styleOf('plain'),
      printMessage: () => undefined,
      converse: () => Promise.reject(new Error('nothing is asked')),
    },
    services: {
      interruption: () => new AbortController().signal,
      newProject: async () => null,
      machine: async () => ({ brain: async () => null }),
      daemon: async () => ({ post: async () => intake }),
    },
    args: ['fix #42'],
    json: false,
    mayAsk: true,
    flag: () => false,
    option: () => undefined,
    all: () => [],
  }
  await expect(startRequest(call as unknown as Call)).rejects.toMatchObject({
    code: 'needs_person',
    message: 'What should be done?',
  })
})
