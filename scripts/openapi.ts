/** Writes dist/openapi.json. */
import { mkdir, rename, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import manifest from '../package.json' with { type: 'json' }
import { openapiDocument } from './openapi-document.ts'

const dist = join(import.meta.dirname, '../dist')
await mkdir(dist, { recursive: true })
const fresh = join(dist, `.openapi-${process.pid}`)
await writeFile(fresh, JSON.stringify(openapiDocument(manifest.version)))
await rename(fresh, join(dist, 'openapi.json'))
