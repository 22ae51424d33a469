/** MCP on standard input and output, until the client closes its end. */
import { serveStdio, StdioServerTransport } from '@modelcontextprotocol/server/stdio'
import { PACKAGE_ROOT } from '../lib/system/package-root.ts'
import { mcpServer, type Serving } from './mcp-server.ts'

export async function serveMcpOnStdio(serving: Omit<Serving, 'version'>): Promise<void> {
  const version = versionHere()
  const transport = new StdioServerTransport()
  const ended = Promise.withResolvers<void>()
  const { onError } = serving
  serveStdio(() => mcpServer({ ...serving, version }), {
    transport,
    onerror: (error) => onError('MCP', error),
  })
  process.stdin.once('end', ended.resolve)
  process.stdin.once('close', ended.resolve)
  await ended.promise
}

function versionHere(): string {
  const { readFileSync } = process.getBuiltinModule('node:fs')
  const manifest: unknown = JSON.parse(readFileSync(`${PACKAGE_ROOT}/package.json`, 'utf8'))
  return (manifest as { readonly version: string }).version
}
