import { expect, test } from 'vitest'
import { commandsFor } from './commands.ts'

const repo = (scripts: Record<string, string>) => ({
  files: new Set(['package.json']),
  read: (path: string) => (path === 'package.json' ? JSON.stringify({ scripts }) : null),
})

test('configured commands win, and null means none', () => {
  const { commands, warnings } = commandsFor(
    { test: 'make check', lint: null },
    repo({ test: 'a', lint: 'b' }),
    null,
  )
  expect(commands).toMatchObject({ test: { command: 'make check' }, lint: null })
  expect(warnings).toEqual(['no typecheck command found', 'no build command found'])
})

test('commands of the base win over those of the work', () => {
  const { commands } = commandsFor({}, repo({ lint: 'eslint .' }), repo({ build: 'vite build' }))
  expect(commands).toMatchObject({ lint: 'npm run lint', build: 'npm run build' })
})
