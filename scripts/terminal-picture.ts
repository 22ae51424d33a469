/**
 * Makes a picture of what a command prints, for the documents:
 * `node scripts/terminal-picture.ts docs/demo.png bin/bosun demo`. Needs a Chromium on the PATH.
 */
import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'

const [picture = '', command = '', ...args] = process.argv.slice(2)
const COLUMNS = 110
const LINE_PX = 17
/** Of a longer output the beginning and the end are shown. */
const MOST_LINES = 88
const output = execFileSync(command, args, {
  encoding: 'utf8',
  env: { ...process.env, FORCE_COLOR: '1', COLUMNS: String(COLUMNS) },
})

const COLOURS: Readonly<Record<string, string>> = {
  '31': '#ff7b72',
  '32': '#7ee787',
  '33': '#e3b341',
  '1': 'bold',
  '2': 'dim',
}

/** The colours Bosun uses, as spans; every other sequence is dropped. */
function html(text: string): string {
  const plain = text.replaceAll('&', '&amp;').replaceAll('<', '&lt;')
  // oxlint-disable-next-line no-control-regex -- this is what colours are made of
  return plain.replace(/\u001B\[(\d+)m/g, (_, code: string) => {
    const colour = COLOURS[code]
    if (colour === undefined) return '</span>'
    if (colour === 'bold') return '<span style="font-weight:bold">'
    return colour === 'dim' ? '<span style="color:#8b949e">' : `<span style="color:${colour}">`
  })
}

function shortened(lines: readonly string[]): readonly string[] {
  const half = MOST_LINES / 2
  if (lines.length <= MOST_LINES) return lines
  return [...lines.slice(0, half), `   … ${lines.length - MOST_LINES} lines …`, ...lines.slice(-half)]
}

/** Rows of a terminal that a line takes. */
function rowsOf(line: string): number {
  // oxlint-disable-next-line no-control-regex -- this is what colours are made of
  return Math.max(1, Math.ceil(line.replace(/\u001B\[\d+m/g, '').length / COLUMNS))
}

const lines = shortened(output.trimEnd().split('\n'))
const shown = [`$ ${[command.replace('bin/', ''), ...args].join(' ')}`, ...lines].join('\n')
const page = `<!doctype html><meta charset="utf-8"><body style="margin:0;background:#0d1117">
<pre style="margin:0;padding:16px;width:${COLUMNS}ch;white-space:pre-wrap;word-break:break-all;color:#e6edf3;font:13px/${LINE_PX}px 'DejaVu Sans Mono',monospace">${html(shown)}</pre>`

const folder = mkdtempSync(join(tmpdir(), 'bosun-picture-'))
try {
  const file = join(folder, 'page.html')
  writeFileSync(file, page)
  const height = shown.split('\n').reduce((rows, line) => rows + rowsOf(line), 0) * LINE_PX + 40
  execFileSync('chromium', [
    '--headless',
    '--no-sandbox',
    '--disable-gpu',
    '--hide-scrollbars',
    `--user-data-dir=${join(folder, 'profile')}`,
    `--window-size=930,${height}`,
    `--screenshot=${picture}`,
    pathToFileURL(file).href,
  ])
} finally {
  rmSync(folder, { recursive: true, force: true })
}
