import { describe, expect, test } from 'vitest'
import { siftCommands, titleKind } from './removal.ts'

const kinds = (source: string) => siftCommands(source, 1).removed.map((one) => one.kind)

describe('a forbidden command is removed', () => {
  test.each([
    ['git commit -m "x"', 'commit'],
    ['git add .', 'commit'],
    ['git -C sub -c a=b commit -m x', 'commit'],
    ['GIT_AUTHOR_NAME=x git commit -m x', 'commit'],
    ['sudo git push', 'publish'],
    ['git push origin main', 'publish'],
    ['git tag v1', 'history'],
    ['git merge main', 'history'],
    ['git rebase main', 'history'],
    ['git checkout -b x', 'history'],
    ['git switch main', 'history'],
    ['git branch x', 'history'],
    ['git reset --hard', 'history'],
    ['git stash', 'history'],
    ['git fetch origin', 'remote'],
    ['git clone https://x.y/z', 'remote'],
    ['gh pr create --title "x"', 'publish'],
    ['gh pr view --web', 'publish'],
    ['npm publish', 'publish'],
    ['npm version patch', 'commit'],
    ['npm install -g x', 'outside'],
    ['docker push x', 'publish'],
    ['mkdir -p /tmp/x', 'outside'],
    ['mkdir -p ~/.claude/x', 'outside'],
    ['cp a /Users/me/b', 'outside'],
    ['ls ../other', 'outside'],
    ['cd /abs/path', 'outside'],
    ['rm -rf /repo/x', 'outside'],
    ['cd /home/me/x', 'outside'],
    ['echo x > /etc/hosts', 'outside'],
    ['cat a | tee /tmp/b', 'outside'],
  ])('%s', (command, kind) => {
    expect(kinds(command)).toEqual([kind])
  })

  test.each([
    'git status --short',
    'git diff HEAD~1',
    'git log --oneline -5',
    'git branch --show-current',
    'git stash list',
    'git tag -l',
    'git checkout -- src/a.ts',
    'git rm a.txt',
    'git mv a b',
    'git rev-parse HEAD',
    'npm test',
    'curl -s http://localhost:8080/api/health',
    'cat .gitignore 2>/dev/null || echo none',
    "grep -rn '/tmp-like' src",
    'cd packages/a && node ../../scripts/x.js',
  ])('%s stays', (command) => {
    const sift = siftCommands(command, 1)
    expect(sift.removed).toEqual([])
    expect(sift.kept).toBe(command)
  })
})

test('staging and committing are one removal, with subject and paths', () => {
  const sift = siftCommands('git add src/a.ts \\\n  test/\ngit commit -m "feat: a\n\nbody"', 10)
  expect(sift).toMatchObject({ kept: '', subject: 'feat: a', added: ['src/a.ts', 'test/'] })
  expect(sift.removed).toMatchObject([{ kind: 'commit', line: 10 }])
})

test('a commit message from a heredoc gives its first line', () => {
  expect(siftCommands(`git commit -m "$(cat <<'EOF'\n\nfix(x): y\n\nz\nEOF\n)"`, 1).subject).toBe('fix(x): y')
  expect(siftCommands('git commit -am "docs: z"', 1).subject).toBe('docs: z')
  expect(siftCommands('git commit --message="docs: z"', 1).subject).toBe('docs: z')
  expect(siftCommands('git commit', 1).subject).toBeUndefined()
})

test('a mixed block loses only the forbidden commands', () => {
  const sift = siftCommands('npm run build\ncd /Users/me/x\nnpm test\ngit push', 5)
  expect(sift.kept).toBe('npm run build && npm test')
  expect(sift.removed).toMatchObject([
    { kind: 'outside', line: 6 },
    { kind: 'publish', line: 8 },
  ])
})

test('staged paths are resolved from the folder of the command', () => {
  expect(siftCommands('cd packages/a\ngit add src ../b/c.ts', 1).added).toEqual([
    'packages/a/src',
    'packages/b/c.ts',
  ])
})

test('commands after a cd into a home folder are removed too', () => {
  const sift = siftCommands('cd ~/.config/x\nmake install\ngit add a', 1)
  expect(sift).toMatchObject({ kept: '', added: [] })
})

test('a loop with a forbidden command is removed as a whole', () => {
  const sift = siftCommands('for f in *; do\n  cp $f /tmp/x\ndone', 1)
  expect(sift.kept).toBe('')
  expect(sift.removed).toHaveLength(1)
})

test('a step is removed where its title alone commits, pushes or branches', () => {
  const titles = [
    'Commit',
    'Final commit',
    'Commit any lint changes',
    'Commit if any fixes',
    'Commit the changes',
    'Commit: `x`',
  ]
  expect(titles.map(titleKind)).toEqual(titles.map(() => 'commit'))
  expect(['Push', 'Push to origin', 'Open a PR against dev', 'Create pull request'].map(titleKind)).toEqual([
    'publish',
    'publish',
    'publish',
    'publish',
  ])
  expect(['Create the branch', 'Switch to a new branch'].map(titleKind)[0]).toBe('history')
  const work = [
    'Commitment scheme',
    'Commit the transaction',
    'Push notifications',
    'Create the branch predictor table',
    'Write the test',
  ]
  expect(work.map(titleKind).filter((kind) => kind !== null && kind !== 'history')).toEqual([])
})
