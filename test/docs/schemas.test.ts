import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { PUBLISHED, schemaDocument } from './schemas.ts'

const folder = join(import.meta.dirname, '../../docs/schemas')

test.each(Object.entries(PUBLISHED))('docs/schemas/%s matches the schema in the code', (name, schema) => {
  const file = join(folder, name)
  if (process.env['UPDATE_DOCS'] === '1') writeFileSync(file, schemaDocument(schema))
  expect(JSON.parse(readFileSync(file, 'utf8'))).toEqual(JSON.parse(schemaDocument(schema)))
})

test('docs/schemas contains no other files', () => {
  expect(readdirSync(folder).toSorted()).toEqual(Object.keys(PUBLISHED).toSorted())
})
