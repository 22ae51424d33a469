import { availableParallelism } from 'node:os'
import { defineConfig } from 'vitest/config'
import { useFolderInMemory } from './scripts/folder-in-memory.ts'
import { LongestFirst } from './scripts/longest-first.ts'
import { pathWithoutAgents } from './test/helpers/path-without-agents.ts'

const env = {
  // A repository around the temporary folder is none of a test's.
  GIT_CEILING_DIRECTORIES: useFolderInMemory(),
  // No test notifies the person at this machine.
  BOSUN_NOTIFY: 'off',
  PATH: pathWithoutAgents(process.env['PATH'] ?? ''),
}

// A poll ends as soon as what it waits for is there, so its limit is long: it only cuts off what hangs.
const polling = { poll: { timeout: 60_000, interval: 100 } }

export default defineConfig({
  test: {
    reporters: ['default', './scripts/closing-line.ts'],
    // Most of the time a test waits for processes of its own, so six files more than there are cores go side by side.
    maxWorkers: availableParallelism() + 6,
    sequence: { sequencer: LongestFirst },
    projects: [
      {
        test: {
          name: 'unit',
          env,
          expect: polling,
          include: ['{src,web,bench}/**/*.test.ts', 'test/{architecture,docs,acceptance}/**/*.test.ts'],
          // Only what hangs is cut off: how fast a test is depends on what else the machine does.
          testTimeout: 60_000,
          hookTimeout: 60_000,
          // Files share the modules of their worker process: loading them anew for each file took twice as long as the tests.
          isolate: false,
          setupFiles: ['test/helpers/after-each-file.ts'],
        },
      },
      {
        test: {
          name: 'whole',
          env,
          expect: polling,
          globalSetup: ['scripts/bundle-programs.ts', 'scripts/ensure-sandbox.ts'],
          include: ['test/**/*.test.ts'],
          exclude: ['test/{architecture,docs,acceptance,real-agents,browser}/**'],
          testTimeout: 300_000,
          hookTimeout: 300_000,
          isolate: false,
          setupFiles: ['test/helpers/after-each-file.ts'],
        },
      },
      {
        test: {
          name: 'browser',
          env,
          expect: polling,
          globalSetup: ['scripts/ensure-chromium.ts'],
          include: ['test/browser/**/*.test.ts'],
          testTimeout: 300_000,
          hookTimeout: 300_000,
          // With the modules, files share the browser of their worker process.
          isolate: false,
          setupFiles: ['test/helpers/after-each-file.ts', 'test/browser/after-each-file.ts'],
        },
      },
    ],
  },
})
