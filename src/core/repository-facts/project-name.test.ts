import { expect, test } from 'vitest'
import { projectName } from './project-name.ts'

const named = (files: Readonly<Record<string, string>>): string | null =>
  projectName((path) => files[path] ?? null)

test.each([
  [{ 'package.json': '{"name":"calc","description":"adds\\nnumbers"}' }, 'calc: adds numbers'],
  [{ 'pyproject.toml': '[project]\nname = "shop"\n' }, 'shop'],
  [{ 'Cargo.toml': '[package]\nname = "lexer"\ndescription = "reads words"\n' }, 'lexer: reads words'],
  [{ 'go.mod': 'module example.org/tools/grep\n\ngo 1.22\n' }, 'example.org/tools/grep'],
  [{ 'package.json': '{"private":true}', 'Cargo.toml': '[package]\nname = "core"\n' }, 'core'],
  [{ 'package.json': '{"name":' }, null],
  [{}, null],
])('a project is called as its manifest says: %j', (files, name) => {
  expect(named(files)).toBe(name)
})
