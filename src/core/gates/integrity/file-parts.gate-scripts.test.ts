import { expect, test } from 'vitest'
import { aChange } from '../../../../test/helpers/a-change.ts'
import { filesOfCommands } from './file-parts.ts'
import { protectedChanges } from './protected-files.ts'

const manifest = (scripts: Record<string, string>) => [JSON.stringify({ scripts })]

test.each<[readonly (string | null)[], Record<string, string>, readonly string[]]>([
  [['node scripts/lint.js'], {}, ['scripts/lint.js']],
  [['npm run lint'], { lint: 'node ./scripts/lint.js && sh ci/all.sh' }, ['scripts/lint.js', 'ci/all.sh']],
  [
    ['npm test'],
    { test: 'pnpm check', check: 'tools/check', pretest: 'node tools/a.js' },
    ['tools/a.js', 'tools/check'],
  ],
  [['npm test'], { test: 'npm test' }, []],
  [['node src/main.js', 'pytest -q', null], {}, []],
  [['node --test --reporter=x test/run-tests.mjs'], {}, ['test/run-tests.mjs']],
])('%j with %j start %j', (commands, scripts, files) => {
  expect(filesOfCommands(commands, manifest(scripts))).toEqual(files)
})

test('a script that gates run may be changed only where the contract names it', () => {
  const change = aChange({ 'scripts/lint.js': ['check()\n', 'exit()\n'], 'scripts/new.js': [null, 'a\n'] })
  const judged = (modify: string[]) =>
    protectedChanges(change, { files: { create: [], modify, delete: [] }, testsToAdd: [], inferred: [] }, [
      'scripts/lint.js',
      'scripts/new.js',
    ]).map(({ path, permission }) => `${path} ${permission}`)
  expect(judged([])).toEqual(['scripts/lint.js not_named'])
  expect(judged(['scripts/lint.js'])).toEqual(['scripts/lint.js named'])
})
