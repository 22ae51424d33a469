/** Builds web/ into dist/web. The page of an earlier build is replaced whole, so that a daemon never serves half of each. */
import { rename, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { build } from 'vite'

const root = join(import.meta.dirname, '..')
const fresh = join(root, 'dist', `.web-${process.pid}`)
const former = join(root, 'dist', `.web-former-${process.pid}`)
const page = join(root, 'dist/web')

try {
  await build({
    configFile: join(root, 'web/vite.config.ts'),
    logLevel: 'warn',
    build: { outDir: fresh },
  })
  await rename(page, former).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'ENOENT') throw error
  })
  await rename(fresh, page)
  console.error('built the page into dist/web/')
} finally {
  await rm(fresh, { recursive: true, force: true })
  await rm(former, { recursive: true, force: true })
}
