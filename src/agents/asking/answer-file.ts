/** Where the tools of a session put its answer, and the MCP server that serves them. */
import { existsSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import type { AnswerTools } from '../../core/thinking/question.ts'
import { readIfExists } from '../../lib/files/read-if-exists.ts'
import { PACKAGE_ROOT } from '../../lib/system/package-root.ts'

const LOOK_MS = 200

export class AnswerFile {
  readonly #folder: string
  readonly #tools: AnswerTools

  private constructor(folder: string, tools: AnswerTools) {
    this.#folder = folder
    this.#tools = tools
  }

  static async make(tools: AnswerTools): Promise<AnswerFile> {
    return new AnswerFile(await mkdtemp(join(tmpdir(), 'bosun-answer-')), tools)
  }

  /** As the Agent Client Protocol takes it. */
  get server() {
    return {
      name: 'bosun',
      command: join(PACKAGE_ROOT, 'bin', 'bosun'),
      args: ['mcp', `--${this.#tools}`],
      env: [{ name: 'BOSUN_ANSWER', value: this.#file }],
    }
  }

  /** Null where no tool was called. */
  read(): string | null {
    return readIfExists(this.#file)
  }

  /** Resolves once a tool was called; rejects when the signal is aborted. */
  async given(until: AbortSignal): Promise<void> {
    while (!existsSync(this.#file)) await pause(LOOK_MS, undefined, { signal: until })
  }

  async clear(): Promise<void> {
    await rm(this.#file, { force: true })
  }

  async remove(): Promise<void> {
    await rm(this.#folder, { recursive: true, force: true })
  }

  get #file(): string {
    return join(this.#folder, 'answer.json')
  }
}
