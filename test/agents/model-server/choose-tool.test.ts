import { describe, expect, test } from 'vitest'
import { chooseTool } from './choose-tool.ts'
import type { ModelRequest, OfferedTool } from './request.ts'
import { call, edit, read, run, write, type Intention } from './script.ts'

const text = { type: 'string' }
const tool = (name: string, properties: object, more: Partial<OfferedTool> = {}): OfferedTool => ({
  name,
  namespace: null,
  form: 'function',
  schema: { type: 'object', properties, required: Object.keys(properties) },
  ...more,
})

/** The tools of real agents, as they offered them. */
const OFFERS: Readonly<Record<string, readonly OfferedTool[]>> = {
  claude: [
    tool('Bash', { command: text, description: text }),
    tool('Edit', { file_path: text, old_string: text, new_string: text }),
    tool('Read', { file_path: text }),
    tool('Write', { file_path: text, content: text }),
    tool('mcp__bosun__checkin', { progress: text }),
  ],
  codex: [
    tool('exec_command', { cmd: text }),
    tool('apply_patch', {}, { form: 'custom' }),
    tool('checkin', {}, { namespace: 'mcp__bosun' }),
  ],
  opencode: [
    tool('bash', { command: text }),
    tool('edit', { filePath: text, oldString: text, newString: text }),
    tool('read', { filePath: text }),
    tool('write', { filePath: text, content: text }),
    tool('bosun_checkin', {}),
  ],
  goose: [
    tool('developer__shell', { command: text }),
    tool('developer__text_editor', {
      command: { type: 'string', enum: ['view', 'write', 'str_replace'] },
      path: text,
    }),
    tool('bosun__checkin', {}),
  ],
  pi: [
    tool('bash', { command: text }),
    tool('edit', {
      path: text,
      edits: { type: 'array', items: { type: 'object', properties: { oldText: text, newText: text } } },
    }),
    tool('read', { path: text }),
    tool('write', { path: text, content: text }),
  ],
  shell: [tool('shell', { command: { type: 'array', items: text } })],
}

const request = (agent: string, system = ''): ModelRequest => ({
  wire: 'chat',
  model: 'm',
  isStream: true,
  lane: '',
  system,
  messages: [],
  results: [],
  tools: OFFERS[agent] ?? [],
  answerSchema: null,
})

const chosen = (agent: string, intention: Intention) => {
  const found = chooseTool(intention, request(agent))
  return found === null ? null : [found.tool.name, found.input]
}

describe('a file is written', () => {
  test.each([
    ['claude', 'Write', { file_path: 'a/b', content: 'x\n' }],
    ['opencode', 'write', { filePath: 'a/b', content: 'x\n' }],
    ['pi', 'write', { path: 'a/b', content: 'x\n' }],
    ['goose', 'developer__text_editor', { command: 'write', path: 'a/b', file_text: 'x\n' }],
    ['codex', 'apply_patch', '*** Begin Patch\n*** Add File: a/b\n+x\n*** End Patch\n'],
    ['shell', 'shell', { command: ['bash', '-c', `mkdir -p "$(dirname 'a/b')" && printf %s 'x\n' > 'a/b'`] }],
  ])('by the tools of %s', (agent, name, input) => {
    expect(chosen(agent, write('a/b', 'x\n'))).toEqual([name, input])
  })
})

describe('a file is edited', () => {
  test.each([
    ['claude', 'Edit', { file_path: 'f', old_string: 'a', new_string: 'b' }],
    ['opencode', 'edit', { filePath: 'f', oldString: 'a', newString: 'b' }],
    ['pi', 'edit', { path: 'f', edits: [{ oldText: 'a', newText: 'b' }] }],
    ['goose', 'developer__text_editor', { command: 'str_replace', path: 'f', old_str: 'a', new_str: 'b' }],
    ['codex', 'apply_patch', '*** Begin Patch\n*** Update File: f\n@@\n-a\n+b\n*** End Patch\n'],
  ])('by the tools of %s', (agent, name, input) => {
    expect(chosen(agent, edit('f', 'a', 'b'))).toEqual([name, input])
  })
})

test('a command runs in whatever shell is offered, with the arguments it requires', () => {
  const names = Object.keys(OFFERS).map((agent) => chosen(agent, run('true'))?.[0])
  expect(names).toEqual(['Bash', 'exec_command', 'bash', 'developer__shell', 'bash', 'shell'])
  expect(chosen('claude', run('true'))?.[1]).toEqual({ command: 'true', description: 'scripted' })
})

test('a file is read by a shell where there is no tool for it', () => {
  expect(chosen('codex', read("it's"))).toEqual(['exec_command', { cmd: `cat 'it'\\''s'` }])
})

test('a tool is called by the name it has at its server', () => {
  const names = ['claude', 'codex', 'opencode', 'goose', 'pi'].map(
    (agent) => chosen(agent, call('checkin'))?.[0],
  )
  expect(names).toEqual(['mcp__bosun__checkin', 'checkin', 'bosun_checkin', 'bosun__checkin', undefined])
})

test.each([
  'Working directory: /w/clone\nPlatform: linux',
  '<environment_context><cwd>/w/clone</cwd></environment_context>',
  "I'm currently working in the directory: /w/clone",
  ' - **Workspace Directories:**\n  - /w/clone\n',
  'Current working directory: /w/clone.',
])('a path is taken from the folder that the agent names: %s', (system) => {
  expect(chooseTool(write('a.txt', ''), request('claude', system))?.input).toMatchObject({
    file_path: '/w/clone/a.txt',
  })
  expect(chooseTool(write('/else/a.txt', ''), request('claude', system))?.input).toMatchObject({
    file_path: '/else/a.txt',
  })
})
