/**
 * Bundles the programs that tests start, once for all tests of a run, with the loader that keeps their compiled code.
 * In node_modules, so that they find the packages that are not bundled.
 */
import { copyFile, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { rolldown, type Plugin } from 'rolldown'
import { bundledName, bundleName, FOLDER_VARIABLE, PROGRAMS, ROOT } from '../test/helpers/program-path.ts'

/** A module of a bundle has the folder that its source has. */
const foldersOfSources: Plugin = {
  name: 'folders-of-sources',
  transform: (code, id) =>
    code.includes('import.meta.dirname')
      ? { code: code.replaceAll('import.meta.dirname', JSON.stringify(dirname(id))), map: null }
      : null,
}

/** Resolves when they are there, with what removes them. */
export default async function setup(): Promise<() => Promise<void>> {
  const cache = join(ROOT, 'node_modules/.cache')
  await mkdir(cache, { recursive: true })
  const dir = await mkdtemp(join(cache, 'bosun-programs-'))
  const bundle = await rolldown({
    input: Object.fromEntries(PROGRAMS.map((source) => [bundleName(source), join(ROOT, source)])),
    // It finds its WebAssembly files beside itself, in node_modules.
    external: ['@vscode/tree-sitter-wasm'],
    platform: 'node',
    cwd: ROOT,
    plugins: [foldersOfSources],
  })
  const names = '[name]-[hash].cjs'
  const { output } = await bundle.write({ dir, format: 'cjs', entryFileNames: names, chunkFileNames: names })
  await bundle.close()
  await copyFile(join(ROOT, 'src/load-bundle.cjs'), join(dir, 'load-bundle.cjs'))
  for (const source of PROGRAMS) {
    const entry = output.find((one) => one.type === 'chunk' && one.isEntry && one.name === bundleName(source))
    if (entry === undefined) throw new Error(`there is no bundle of ${source}`)
    await writeFile(
      join(dir, bundledName(source)),
      `require('./load-bundle.cjs').load('${entry.fileName}')\n`,
    )
  }
  process.env[FOLDER_VARIABLE] = dir
  return async () => {
    delete process.env[FOLDER_VARIABLE]
    await rm(dir, { recursive: true, force: true, maxRetries: 5 })
  }
}
