import { availableParallelism, tmpdir } from 'node:os'
import { defineConfig } from 'vitest/config'
import { LongestFirst } from './scripts/longest-first.ts'
import { pathWithoutAgents } from './test/helpers/path-without-agents.ts'

const env = {
  // A repository around the temporary folder is none of a test's.
  GIT_CEILING_DIRECTORIES: tmpdir(),
  PATH: pathWithoutAgents(process.env['PATH'] ?? ''),
}

export default defineConfig({
  test: {
    reporters: ['default', './scripts/closing-line.ts'],
    // Most of the time a test waits for processes of its own, so four files more than there are cores go side by side.
    maxWorkers: availableParallelism() + 4,
    sequence: { sequencer: LongestFirst },
    projects: [
      {
        test: {
          name: 'unit',
          env,
          include: ['src/**/*.test.ts', 'test/{architecture,docs,acceptance}/**/*.test.ts'],
          // Only what hangs is cut off: how fast a test is depends on what else the machine does.
          testTimeout: 60_000,
          hookTimeout: 60_000,
          // Files share the modules of their worker process: loading them anew for each file took twice as long as the tests.
          isolate: false,
        },
      },
      {
        test: {
          name: 'whole',
          env,
          globalSetup: ['scripts/bundle-programs.ts'],
          include: ['test/**/*.test.ts'],
          exclude: ['test/{architecture,docs,acceptance,real-agents}/**'],
          testTimeout: 120_000,
          hookTimeout: 120_000,
        },
      },
    ],
  },
})
