import type { Role } from '../event-schemas/schemas.ts'

/** What a brief says of Bosun's MCP tools, for a worker that has them. The file always works; a tool may be missing or fail. */
export function mcpGuidance(role: Role): readonly string[] {
  const types = role === 'reviewer' ? '`review_approved` or `review_changes_requested`' : '`work_completed`'
  return [
    `The MCP server \`bosun\` does the same: \`report_to_pm\` takes the report as \`payload\`, with the message_type ${types};`,
    '`checkin`, `request_help` and `get_instructions` are for the time until then. Where a tool is missing or fails, use the',
    'file and the command. One report is enough: the last complete one counts.',
  ]
}
