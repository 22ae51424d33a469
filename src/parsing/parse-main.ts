/** The parser process (`bosun parse`), started by ParserProcess. It ends when the channel to the daemon closes. */
import type { ParseAnswer, ParseRequest } from './parse-messages.ts'
import { TreeSitter } from './tree-sitter.ts'

const LIMITS = { cpuMs: 10_000, maxRssBytes: 700 * 1024 * 1024 }
/** WebAssembly never frees memory, so a large process is replaced. */
const WORN_RSS_BYTES = 250 * 1024 * 1024
/** Well below the CPU limit of this process. */
const WORN_CPU_MICROSECONDS = 60_000_000

export function parseMain(): void {
  const loading = TreeSitter.load(LIMITS)
  process.on('message', (request) => {
    answer(loading, request as ParseRequest).catch((error: unknown) => {
      process.stderr.write(`bosun parse: ${String(error)}\n`, () => process.exit(1))
    })
  })
  process.on('disconnect', () => process.exit())
}

async function answer(loading: Promise<TreeSitter>, request: ParseRequest): Promise<void> {
  const treeSitter = await loading
  await treeSitter.loadGrammar(request.grammar)
  const result = treeSitter.parse(request)
  const { user, system } = process.cpuUsage()
  const isWorn = process.memoryUsage.rss() > WORN_RSS_BYTES || user + system > WORN_CPU_MICROSECONDS
  const reply: ParseAnswer = { result, isWorn }
  process.send?.(reply)
}
