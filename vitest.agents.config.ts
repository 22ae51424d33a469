import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { defineConfig } from 'vitest/config'
import { cacheFolder } from './test/real-agents/install.ts'
import { notesOfRun } from './test/real-agents/matrix.ts'

/** Not the machine's own: agents that confine themselves may write there, and so would find all that Bosun keeps. */
const folder = join(cacheFolder(), 'tmp')
mkdirSync(folder, { recursive: true })

/** The tests with real agents, which they install at their first run. Not part of `npm test`. */
export default defineConfig({
  test: {
    include: ['test/real-agents/**/*.test.ts'],
    setupFiles: ['test/helpers/after-each-file.ts'],
    globalSetup: ['test/real-agents/matrix.ts'],
    env: { TMPDIR: folder, GIT_CEILING_DIRECTORIES: folder, BOSUN_AGENTS_NOTES: notesOfRun() },
    // Each agent is a few hundred megabytes; most of the time they wait.
    maxWorkers: 3,
    testTimeout: 300_000,
    hookTimeout: 900_000,
  },
})
