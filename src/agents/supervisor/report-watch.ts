import { lstatSync } from 'node:fs'
import { isWholeReport, readReportFile } from '../command/report-file.ts'

const LOOK_MS = 1000
/** What changed just now may still be written to. */
const STILL_MS = 300

/** Calls for every new complete report. Returns a function that stops watching. */
export function watchReport(path: string, onReported: () => void): () => void {
  let read = ''
  const timer = setInterval(() => {
    const stat = lstatSync(path, { throwIfNoEntry: false })
    if (stat === undefined) return
    const age = Date.now() - stat.ctimeMs
    const version = `${stat.ino} ${stat.size} ${stat.ctimeMs}`
    if (version === read || (age >= 0 && age < STILL_MS)) return
    read = version
    if (isWholeReport(readReportFile(path).text)) onReported()
  }, LOOK_MS)
  return () => clearInterval(timer)
}
