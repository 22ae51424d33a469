/** The worker's own tools, for an agent that only takes MCP servers over stdio. */
import { roleNamed } from '../app/checkins/pm-message.ts'
import { Refusal } from '../lib/refusal.ts'
import { remoteChannel } from './remote-channel.ts'
import type { Tool } from './tool.ts'
import { workerTools } from './worker-tools.ts'

export function workerStdioTools(env: Readonly<Record<string, string | undefined>>): readonly Tool[] {
  const { BOSUN_URL: url = '', BOSUN_TOKEN: token = '', BOSUN_WORKER_ID: id = '' } = env
  const port = /^http:\/\/127\.0\.0\.1:(\d{1,5})$/.exec(url)?.[1]
  if (port === undefined || token === '' || !/^[a-z0-9-]{1,200}$/.test(id)) {
    throw new Refusal({
      code: 'usage',
      message: 'BOSUN_URL, BOSUN_TOKEN and BOSUN_WORKER_ID are not set; bosun mcp --worker is for workers',
      remedy: 'Run it from inside a worker, with these three variables. For your own assistant: bosun mcp',
    })
  }
  const { BOSUN_COORDINATION: coordination = '', BOSUN_REPORT: reportPath = null, BOSUN_OUTBOX: outbox } = env
  const channel = remoteChannel({ id, port: Number(port), token, coordination, outbox, reportPath })
  return workerTools(channel, roleNamed(env['BOSUN_ROLE']))
}
