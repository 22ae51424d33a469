/**
 * The first file any Node runs, so it is written in the JavaScript of 2009: an old Node must be able to
 * parse it and say what is needed. Everything else is loaded only after the check.
 */
'use strict'

var LEAST = [24, 15]

/** One line that says what is needed, or null when this Node is fit. */
function whatIsNeeded(version, path) {
  var parts = version.split('.')
  var major = Number(parts[0])
  if (major > LEAST[0] || (major === LEAST[0] && Number(parts[1]) >= LEAST[1])) return null
  return (
    'bosun: needs Node ' +
    LEAST.join('.') +
    ' or newer, and ' +
    path +
    ' is ' +
    version +
    '; get it from https://nodejs.org'
  )
}

if (require.main === module) {
  var needed = whatIsNeeded(process.versions.node, process.execPath)
  if (needed === null) {
    // The process that owns a worker and the one that parses load nothing they do not need.
    var alone = { supervise: 'supervise.cjs', parse: 'parse.cjs' }
    require('./load-bundle.cjs').load(alone[process.argv[2]] || 'main.cjs')
  } else {
    console.error(needed)
    process.exitCode = 1
  }
}

exports.whatIsNeeded = whatIsNeeded
