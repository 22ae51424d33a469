/**
 * Bundles src/main.ts into dist/, one chunk per lazily imported command, so that a start loads only what it needs.
 * CommonJS, since Node starts it faster: its own modules need no second, static set of exports. Chunks carry a hash
 * in their name and bosun.cjs, which names the first of them, is moved in last, so a Bosun that is started while this
 * runs gets the old bundle or the new one, never half of each.
 */
import { createHash } from 'node:crypto'
import { copyFile, glob, mkdir, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { rolldown, type Plugin, type RolldownOutput } from 'rolldown'
import { defaultSettings } from '../src/core/settings/settings.ts'

const root = join(import.meta.dirname, '..')
const dist = join(root, 'dist')
const fresh = join(dist, `.new-${process.pid}`)
/** Where src/load-bundle.cjs keeps the compiled code of this bundle. */
const keptCode = join(dist, '.cache')
const ENTRY = 'bosun.cjs'
/** What other parts of the build put into dist/. */
const OTHERS = ['web', 'openapi.json']
/** What src/entry.cjs chooses from. */
const ENTRIES = ['main', 'supervise', 'parse']
const BUILD_FILE = join(root, 'src/build.ts')
const DEFAULTS_FILE = join(root, 'src/config/default-settings.ts')

async function bundleInto(dir: string): Promise<void> {
  const bundle = await rolldown({
    input: Object.fromEntries(ENTRIES.map((name) => [name, join(root, `src/${name}.ts`)])),
    // It finds its WebAssembly files beside itself, in node_modules.
    external: ['@vscode/tree-sitter-wasm'],
    platform: 'node',
    cwd: root,
    plugins: [bakedDefaults, bakedBuild(await hashOfSources()), withoutChildProcess],
    onLog(level, log, handler) {
      if (level === 'warn') throw new Error(log.message)
      handler(level, log)
    },
  })
  const { output } = await bundle.write({
    dir,
    format: 'cjs',
    minify: true,
    entryFileNames: '[name]-[hash].cjs',
    chunkFileNames: '[name]-[hash].cjs',
  })
  await bundle.close()
  await escapeInto(dir, output)
  let entry = await readFile(join(root, 'src/entry.cjs'), 'utf8')
  for (const name of ENTRIES) {
    const chunk = output.find((one) => one.type === 'chunk' && one.isEntry && one.name === name)
    if (chunk === undefined) throw new Error(`the bundle has no entry ${name}`)
    entry = entry.replace(`${name}.cjs`, chunk.fileName)
  }
  await writeFile(join(dir, ENTRY), entry)
  await copyFile(join(root, 'src/load-bundle.cjs'), join(dir, 'load-bundle.cjs'))
}

/** V8 keeps a text with one character beyond Latin-1 at two bytes a character, and a source for as long as its code. */
async function escapeInto(dir: string, output: RolldownOutput['output']): Promise<void> {
  for (const chunk of output) {
    if (chunk.type !== 'chunk') continue
    const code = chunk.code.replaceAll(/[^\0-\x7f]/g, (unit) => {
      const hex = unit.charCodeAt(0).toString(16)
      return `\\u${hex.padStart(4, '0')}`
    })
    await writeFile(join(dir, chunk.fileName), code)
  }
}

/** Puts in the value that src/config/default-settings.ts would compute at every start. */
const bakedDefaults: Plugin = {
  name: 'baked-defaults',
  load: (id) =>
    id === DEFAULTS_FILE ? `export const DEFAULT_SETTINGS = ${JSON.stringify(defaultSettings())}` : null,
}

/** Puts in what src/build.ts cannot know. */
const bakedBuild = (build: string): Plugin => ({
  name: 'baked-build',
  load: (id) => (id === BUILD_FILE ? `export const BUILD = ${JSON.stringify(build)}` : null),
})

/** Everything a bundle is made of: the sources, the page's too, what they import from elsewhere, and how it is put together. */
async function hashOfSources(): Promise<string> {
  const files = ['package.json', 'package-lock.json', 'scripts/bundle.ts']
  for await (const file of glob(['src/**/*.{ts,cjs}', 'web/**/*.{ts,tsx,css,html,svg}'], { cwd: root })) {
    if (!file.endsWith('.test.ts')) files.push(file)
  }
  const hash = createHash('sha256')
  for (const file of files.sort()) hash.update(`${file}\0${await readFile(join(root, file), 'utf8')}\0`)
  return hash.digest('hex').slice(0, 16)
}

/** commander can run commands as programs of their own, which we never do; loading what that takes costs every start. */
const withoutChildProcess: Plugin = {
  name: 'without-child-process',
  resolveId: (id, importer) =>
    id === 'node:child_process' && importer?.includes('node_modules/commander/') ? '\0nothing' : null,
  load: (id) => (id === '\0nothing' ? 'export default {}' : null),
}

await mkdir(fresh, { recursive: true })
try {
  await bundleInto(fresh)
  const names = (await readdir(fresh)).sort((a, b) => Number(a === ENTRY) - Number(b === ENTRY))
  for (const name of names) await rename(join(fresh, name), join(dist, name))
  for (const name of await readdir(dist)) {
    if (!name.startsWith('.') && !names.includes(name) && !OTHERS.includes(name))
      await rm(join(dist, name), { force: true })
  }
  await rm(keptCode, { recursive: true, force: true })
  console.error(`bundled ${names.length} files into dist/`)
} finally {
  await rm(fresh, { recursive: true, force: true })
}
