/**
 * For bench/cold-start (mark 3 ×): this takes 3.2 × a Node that does nothing, without the flags below 3.7 ×, with Node's own
 * compile cache 4.4 × (19 November 2026, in turns on one machine, beside other programs).
 *
 * Loads the bundle and keeps its compiled code beside it. Node's own compile cache keeps the code of a file as it is
 * before the file runs, so each start compiles every function it calls once more. Here it is taken at the end of the first
 * run, and of a long one also before, with all functions that were called. It is not replaced: with what a long run has
 * called as well, an idle daemon takes 2 MiB more (bench/idle-memory), and none starts faster (bench/recovery).
 *
 * The code is as trustworthy as its source, which lies beside it. V8 itself refuses what another version or other flags
 * have made, but knows a source only by its length: names of chunks must carry a hash of what is in them.
 */
'use strict'

const { mkdirSync, readFileSync, renameSync, writeFileSync } = require('node:fs')
const { setFlagsFromString } = require('node:v8')
const { constants, Script } = require('node:vm')

// Flags are V8's own business and unknown ones make it complain, so only the one of Node 24 gets it.
const isKnownV8 = process.versions.v8.startsWith('13.6.')
// Else a regular expression is compiled twice, and reading a plan takes many of them a few times each.
if (isKnownV8) setFlagsFromString('--no-regexp-tier-up')

/** After so many calls a function is optimized: a short run would be over while that still goes on, a daemon stays. */
const CALLS_IN_SHORT_RUN = 4000
const CALLS_IN_LONG_RUN = 1200
/** By then a daemon has started, and nearly all of its code is read. */
const STARTED_MS = 1000
let calls = CALLS_IN_SHORT_RUN

function optimizeAfter(count) {
  calls = count
  if (isKnownV8) setFlagsFromString(`--invocation-count-for-maglev=${count}`)
}

optimizeAfter(CALLS_IN_SHORT_RUN)
const isDaemon = process.argv[2] === 'serve'
if (isDaemon) setTimeout(optimizeAfter, STARTED_MS, CALLS_IN_LONG_RUN).unref()

/** V8 refuses code that was made under other flags, so every run reads and makes it under the same. */
function withSameFlags(work) {
  const before = calls
  if (before === CALLS_IN_SHORT_RUN) return work()
  optimizeAfter(CALLS_IN_SHORT_RUN)
  try {
    return work()
  } finally {
    optimizeAfter(before)
  }
}

/**
 * One folder for each Node, so that two of them do not replace each other's code in turns. One for the daemon, which calls
 * more of what both load: a command would read code that it does not call (bench/cold-start), and what a command leaves out
 * the daemon would compile and hold (bench/idle-memory).
 */
const keptFolder = `${__dirname}/.cache/${process.version}-${process.arch}${isDaemon ? '-serve' : ''}`

/** After so long everything that a run does again and again has been called. */
const LONG_RUN_MS = 20_000

/** Chunks by name, as CommonJS knows modules. */
const chunks = new Map()

/** The scripts whose code is not kept yet, by the name of their chunk. */
const unkept = new Map()

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
  const script = withSameFlags(
    () => new Script(source, { filename: file, cachedData, importModuleDynamically }),
  )
  if (cachedData === undefined || script.cachedDataRejected) unkept.set(name, script)
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

function keepCode() {
  try {
    for (const [name, script] of unkept) {
      writeCode(
        name,
        withSameFlags(() => script.createCachedData()),
      )
      unkept.delete(name)
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

process.on('exit', keepCode)
// A daemon may be killed before its end, and is in a hurry when it is started again.
setTimeout(keepCode, LONG_RUN_MS).unref()

exports.load = load
