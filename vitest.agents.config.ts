import { defineConfig } from 'vitest/config'

/** The tests with real agents, which they install at their first run. Not part of `npm test`. */
export default defineConfig({
  test: {
    include: ['test/real-agents/**/*.test.ts'],
    // One agent at a time: each is a few hundred megabytes.
    maxWorkers: 1,
    testTimeout: 180_000,
    hookTimeout: 900_000,
  },
})
