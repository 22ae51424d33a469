import { expect, test } from 'vitest'
import { isStructured, joined, pipelinesOf } from './shell.ts'

const texts = (source: string) => pipelinesOf(source).map((one) => one.text)

test('commands are split at line ends, &&, || and ;, but not at pipes', () => {
  expect(texts('a && b || c; d\ne | f')).toEqual(['a', 'b', 'c', 'd', 'e | f'])
})

test('words lose their quotes', () => {
  expect(pipelinesOf(`git commit -m "a 'b' \\"c\\"" 'd e' f\\ g`)[0]?.commands).toEqual([
    ['git', 'commit', '-m', `a 'b' "c"`, 'd e', 'f g'],
  ])
})

test('quotes, command substitution and heredocs hide separators and line ends', () => {
  const source = `git commit -m "$(cat <<'EOF'\nOne; two && "three"\n\n)\nEOF\n)" && ls`
  expect(texts(source)).toHaveLength(2)
  expect(texts('cat <<EOF > x\na && b\nEOF\nls')).toEqual(['cat <<EOF > x\na && b\nEOF', 'ls'])
  expect(texts('cat <<EOF\na\nEOF')).toEqual(['cat <<EOF\na\nEOF'])
  expect(texts('a="$(b "c; d")" && e')).toEqual(['a="$(b "c; d")"', 'e'])
  expect(texts('cat <<< EOF\nls')).toEqual(['cat <<< EOF', 'ls'])
})

test('comments are left out, and lines continue after a backslash', () => {
  expect(pipelinesOf('# first\n\na \\\n  b # why\nc')).toMatchObject([
    { commands: [['a', 'b']], line: 2 },
    { text: 'c', line: 4 },
  ])
})

test('redirections and background jobs are parsed', () => {
  expect(texts('a 2>&1 | b &> c\nd &\ne')).toEqual(['a 2>&1 | b &> c', 'd &', 'e'])
})

test('unterminated quotes and heredocs end with the text', () => {
  expect(texts(`echo "a`)).toEqual([`echo "a`])
  expect(texts(`echo 'a`)).toEqual([`echo 'a`])
  expect(texts('cat <<EOF\na')).toHaveLength(1)
  expect(texts('echo $(a')).toHaveLength(1)
})

test('plain commands are joined by &&, loops and background jobs by line ends', () => {
  expect(joined(pipelinesOf('cd a\nb || true\nc; d'))).toBe('cd a && b || true && c; d')
  expect(joined(pipelinesOf('a &\nb'))).toBe('a &\nb')
  const loop = pipelinesOf('for x in 1 2; do\n  echo $x\ndone')
  expect(isStructured(loop)).toBe(true)
  expect(isStructured(pipelinesOf('a\nb'))).toBe(false)
})
