/** What every parser must do: one test per sentence of the port. */
import { describe, expect, test } from 'vitest'
import { LANGUAGES, languageOf } from '../../src/core/languages/languages.ts'
import { hasError, isUnread, namedChildren, type Parsed } from '../../src/core/languages/syntax.ts'
import type { Parser } from '../../src/ports/parser.ts'

const SAMPLES: Readonly<Record<string, string>> = {
  'a.ts': 'const a = <T>b',
  'a.tsx': 'const a = <b>c</b>',
  'a.js': 'const a = <b>c</b>',
  'a.vue': '<p>"\n<script lang="ts">\nconst a: b = 1\n</script>',
  'a.py': 'a = f"{b}"',
  'a.go': 'package a',
  'a.rs': 'fn a() {}',
  'a.c': 'int a(void) { return 1; }',
  'a.cpp': 'class A { int b(); };',
  'a.java': 'class A {}',
  'a.rb': 'a = <<~B\n  c\nB\n',
  'a.sh': 'cat <<B\n"\nB\n',
  run: '#!/usr/bin/env bash\necho "$1"',
}

export function describeParser(name: string, parserOf: () => Parser): void {
  const outcome = (parsed: Parsed | undefined): string | undefined =>
    parsed === undefined || !isUnread(parsed) ? parsed && 'tree' : parsed.unread

  describe(name, () => {
    test('every grammar of the table of languages has a sample', () => {
      const tried = Object.entries(SAMPLES).map(([path, text]) => languageOf(path, text.split('\n', 1)[0]))
      const grammars = new Set(LANGUAGES.map(({ grammar }) => grammar).filter((grammar) => grammar !== null))
      expect(new Set(tried.map((language) => language?.grammar))).toEqual(grammars)
    })

    test('files of every language with a grammar have a tree without errors', async () => {
      const files = Object.entries(SAMPLES).map(([path, text]) => ({ path, text }))
      const parsed = await parserOf().parse(files)
      for (const { path, text } of files) {
        const tree = parsed.get(path)
        expect(outcome(tree), path).toBe('tree')
        if (tree === undefined || isUnread(tree)) continue
        expect(hasError(tree.root), path).toBe(false)
        expect(namedChildren(tree.root).length, path).toBeGreaterThan(0)
        expect(tree.text.length, path).toBe(text.length)
      }
    })

    test('a file that cannot be parsed is unread, and the others of the call are parsed', async () => {
      const parsed = await parserOf().parse([
        { path: 'a.swift', text: 'let a = 1' },
        { path: 'big.ts', text: 'x;'.repeat(2 * 1024 * 1024) },
        { path: 'a.ts', text: 'let a = 1' },
      ])
      expect([...parsed].map(([path, tree]) => [path, outcome(tree)])).toEqual([
        ['a.swift', 'no_grammar'],
        ['big.ts', 'too_large'],
        ['a.ts', 'tree'],
      ])
    })

    test('broken text has a tree with error nodes where it is broken', async () => {
      const text = 'const a = 1\nconst = \nconst b = 2\n'
      const tree = (await parserOf().parse([{ path: 'a.ts', text }])).get('a.ts')
      if (tree === undefined || isUnread(tree)) throw new Error('there is no tree')
      expect(hasError(tree.root)).toBe(true)
      const sound = namedChildren(tree.root).filter((node) => !hasError(node))
      expect(sound.map((node) => node.text)).toEqual(['const a = 1', 'const b = 2'])
    })

    test('of two files with the same path the last one counts', async () => {
      const texts = ['let a = 1', 'let b = 2']
      const parsed = await parserOf().parse(texts.map((text) => ({ path: 'a.ts', text })))
      const tree = parsed.get('a.ts')
      expect(tree === undefined || isUnread(tree) ? null : tree.text).toBe('let b = 2')
    })
  })
}
