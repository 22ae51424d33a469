import { describe, expect, test } from 'vitest'
import { isScript, LANGUAGES, languageOf, parsedText } from './languages.ts'

describe('the language of a file follows from its name', () => {
  test.each([
    ['src/a.ts', 'typescript'],
    ['src/a.test.mts', 'typescript'],
    ['A.TSX', 'typescript'],
    ['a.cjs', 'javascript'],
    ['a.vue', 'javascript'],
    ['a.pyi', 'python'],
    ['include/a.h', 'c'],
    ['include/a.hpp', 'cpp'],
    ['Gemfile', 'ruby'],
    ['a.bats', 'shell'],
    ['notes.txt', null],
    ['.ts', 'typescript'],
    ['ts', null],
    ['', null],
  ])('%s is %s', (path, name) => {
    expect(languageOf(path)?.name ?? null).toBe(name)
  })

  test('each extension belongs to one language', () => {
    const all = LANGUAGES.flatMap(({ extensions }) => extensions)
    expect(new Set(all).size).toBe(all.length)
  })
})

describe('the language of a file without an extension follows from its first line', () => {
  test.each([
    ['#!/bin/sh', 'shell'],
    ['#!/usr/bin/env bash', 'shell'],
    ['#!/usr/bin/env -S node --test', 'javascript'],
    ['#! /usr/bin/python3.12', 'python'],
    ['#!/usr/bin/awk -f', null],
    ['sh', null],
  ])('%s is %s', (line, name) => {
    expect(languageOf('bin/run', line)?.name ?? null).toBe(name)
  })

  test('the first line of a file with an extension is ignored', () => {
    expect(languageOf('a.txt', '#!/bin/sh')).toBeNull()
  })
})

test('components are not modules that others import by their path', () => {
  expect(['a.ts', 'a.jsx', 'a.vue', 'a.py'].map(isScript)).toEqual([true, true, false, false])
})

test('only the scripts of a component are parsed, at their original positions', () => {
  const vue = languageOf('a.vue')
  if (vue === null) throw new Error('no language')
  const text = `<p>it's</p>\n<script setup lang="ts">\nlet a = 1\n</script>\n<style>a { b: c }</style>`
  const read = parsedText(vue, text)
  expect(read.trim()).toBe('let a = 1')
  expect(read.length).toBe(text.length)
  expect(read.indexOf('let a')).toBe(text.indexOf('let a'))
})
