/**
 * Loads the bundle and keeps its compiled code beside it. Node's own compile cache keeps the code of a file as it is
 * before the file runs, so each start compiles every function it calls once more. Here it is taken at the end of a run,
 * and of a long one also before, with all functions that were called: with Node's own, bench/cold-start misses its mark.
 *
 * The code is as trustworthy as its source, which lies beside it. V8 itself refuses what another version or other flags
 * have made, but knows a source only by its length: names of chunks must carry a hash of what is in them.
 */
'use strict'

const { mkdirSync, readFileSync, renameSync, writeFileSync } = require('node:fs')
const { setFlagsFromString } = require('node:v8')
const { constants, Script } = require('node:vm')

// V8 complains of flags it does not know, so only the V8 of Node 24 gets them. bench/cold-start needs both to keep its mark:
// without the first a regular expression is compiled twice, without the second a short run optimizes what it calls no more.
if (process.versions.v8.startsWith('13.6.')) {
  setFlagsFromString('--no-regexp-tier-up')
  setFlagsFromString('--invocation-count-for-maglev=1200')
}

/** One folder for each Node, so that two of them do not replace each other's code in turns. */
const keptFolder = `${__dirname}/.cache/${process.version}-${process.arch}`

/** After so long everything that a run does again and again has been called. */
const LONG_RUN_MS = 20_000

/** So many times what is kept. */
const WORTH_KEEPING = 1.1

/** Chunks by name, as CommonJS knows modules. */
const chunks = new Map()

/** Each script with the bytes of its code that are kept already, by the name of its chunk. */
const scripts = new Map()

function load(name) {
  const known = chunks.get(name)
  if (known !== undefined) return known.exports
  const chunk = { exports: {} }
  chunks.set(name, chunk)
  compiled(name).runInThisContext()(chunk.exports, requireFromChunk, chunk, __dirname)
  return chunk.exports
}

function requireFromChunk(id) {
  return id.startsWith('./') ? load(id.slice(2)) : require(id)
}

function compiled(name) {
  const file = `${__dirname}/${name}`
  const cachedData = keptCode(name)
  const source = `(function (exports, require, module, __dirname) {${readFileSync(file, 'utf8')}\n})`
  const importModuleDynamically = constants.USE_MAIN_CONTEXT_DEFAULT_LOADER
  const script = new Script(source, { filename: file, cachedData, importModuleDynamically })
  const isKept = cachedData !== undefined && !script.cachedDataRejected
  scripts.set(name, { script, bytes: isKept ? cachedData.length : 0 })
  return script
}

function keptCode(name) {
  try {
    return readFileSync(`${keptFolder}/${name}`)
  } catch {
    // Whatever the reason, the source is there.
    return undefined
  }
}

/** A long run has called what a short one had not: where that makes the code much larger, it takes the place of the old. */
function keepCode(isLongRun) {
  try {
    for (const [name, kept] of scripts) {
      if (kept.bytes > 0 && !isLongRun) continue
      const code = kept.script.createCachedData()
      if (code.length < kept.bytes * WORTH_KEEPING) continue
      writeCode(name, code)
      kept.bytes = code.length
    }
  } catch {
    // Where nothing can be written, nothing is kept, and a start takes a little longer.
  }
}

function writeCode(name, code) {
  const file = `${keptFolder}/${name}`
  const fresh = `${file}.${process.pid}`
  mkdirSync(keptFolder, { recursive: true })
  writeFileSync(fresh, code, { flag: 'wx', flush: true })
  renameSync(fresh, file)
}

process.on('exit', () => keepCode(process.uptime() * 1000 > LONG_RUN_MS))
// A daemon may be killed before its end, and is in a hurry when it is started again.
setTimeout(() => keepCode(true), LONG_RUN_MS).unref()

exports.load = load
