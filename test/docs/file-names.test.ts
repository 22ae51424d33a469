import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'

const root = join(import.meta.dirname, '../..')
const files = globSync(['{src,web,test,bench,scripts,docs,examples}/**/*.{ts,tsx,md}', '*.md'], {
  cwd: root,
  exclude: (path) => path.includes('node_modules'),
}).map((path) => `/${path}`)

test.each(['ARCHITECTURE.md', 'CONTRIBUTING.md', 'GLOSSARY.md', 'README.md'])(
  'every source file that %s names exists',
  (page) => {
    const text = readFileSync(join(root, page), 'utf8')
    const named = [...text.matchAll(/`([\w./-]+\.tsx?)`/g)].map(([, name = '']) => name)
    expect(named.filter((name) => !files.some((path) => path.endsWith(`/${name}`)))).toEqual([])
  },
)
