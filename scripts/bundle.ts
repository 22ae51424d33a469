/**
 * Bundles src/main.ts into dist/, one chunk per lazily imported command, so that a start loads one or
 * two small files. Chunks carry a hash in their name and main.mjs is moved in last, so a Bosun that is
 * started while this runs gets the old bundle or the new one, never half of each.
 */
import { copyFile, mkdir, readdir, rename, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { rolldown } from 'rolldown'
import { defaultSettings } from '../src/core/settings.ts'

const root = join(import.meta.dirname, '..')
const dist = join(root, 'dist')
const fresh = join(dist, `.new-${process.pid}`)
/** Where dist/bosun.cjs lets Node keep the compiled code of this bundle. */
const compileCache = join(dist, '.cache')
const DEFAULTS_FILE = join(root, 'src/config/default-settings.ts')

await mkdir(fresh, { recursive: true })
try {
  await bundleInto(fresh)
  const names = (await readdir(fresh)).sort((a, b) => Number(a === 'main.mjs') - Number(b === 'main.mjs'))
  for (const name of names) await rename(join(fresh, name), join(dist, name))
  for (const name of await readdir(dist)) {
    if (!name.startsWith('.') && !names.includes(name)) await rm(join(dist, name), { force: true })
  }
  await rm(compileCache, { recursive: true, force: true })
  console.error(`bundled ${names.length} files into dist/`)
} finally {
  await rm(fresh, { recursive: true, force: true })
}

async function bundleInto(dir: string): Promise<void> {
  const bundle = await rolldown({
    input: { main: join(root, 'src/main.ts') },
    platform: 'node',
    cwd: root,
    plugins: [{ name: 'baked-defaults', load: (id) => (id === DEFAULTS_FILE ? bakedDefaults() : null) }],
    onLog(level, log, handler) {
      if (level === 'warn') throw new Error(log.message)
      handler(level, log)
    },
  })
  await bundle.write({
    dir,
    format: 'esm',
    minify: true,
    entryFileNames: '[name].mjs',
    chunkFileNames: '[name]-[hash].mjs',
  })
  await bundle.close()
  await copyFile(join(root, 'src/entry.cjs'), join(dir, 'bosun.cjs'))
}

/** The value that src/config/default-settings.ts would compute at every start. */
function bakedDefaults(): string {
  return `export const DEFAULT_SETTINGS = ${JSON.stringify(defaultSettings())}`
}
