/**
 * The coding agents that Bosun knows, in the order in which it takes them where the settings name none. What stands
 * here was tried with the real programs (`npm run test:agents`).
 */
import type { Environment } from '../../lib/process/built-environment.ts'
import type { AgentRow } from './agent-row.ts'
import { claude } from './rows/claude.ts'
import { codex } from './rows/codex.ts'
import { opencode } from './rows/opencode.ts'
import { gemini } from './rows/gemini.ts'
import { qwen } from './rows/qwen.ts'
import { goose } from './rows/goose.ts'
import { pi } from './rows/pi.ts'

export const AGENT_ROWS: readonly AgentRow[] = [claude, codex, opencode, gemini, qwen, goose, pi]

/** Also for an agent that is started by a command of the user's own: which one it is, the variables need not know. */
export const READING_ENV: Environment = Object.assign({}, ...AGENT_ROWS.map(({ acp }) => acp.reading.env))
