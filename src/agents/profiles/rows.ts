/**
 * The coding agents that Bosun knows, in the order in which it takes them where the settings name none. What stands
 * here was tried with the real programs (`npm run test:agents`).
 */
import type { AgentRow } from './agent-row.ts'
import { claude } from './rows/claude.ts'
import { codex } from './rows/codex.ts'
import { opencode } from './rows/opencode.ts'
import { gemini } from './rows/gemini.ts'
import { qwen } from './rows/qwen.ts'
import { goose } from './rows/goose.ts'
import { pi } from './rows/pi.ts'

export const AGENT_ROWS: readonly AgentRow[] = [claude, codex, opencode, gemini, qwen, goose, pi]
