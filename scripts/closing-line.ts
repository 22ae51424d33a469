/** Ends a test run with one plain line, `N passed, N failed`, for readers of only the end of the output. */
import type { Reporter, TestModule } from 'vitest/node'

export default class ClosingLine implements Reporter {
  onTestRunEnd(modules: readonly TestModule[], unhandledErrors: readonly unknown[]): void {
    let passed = 0
    // An error outside every test fails the run, so it counts.
    let failed = unhandledErrors.length
    for (const module of modules) {
      let failedInModule = 0
      for (const test of module.children.allTests()) {
        const { state } = test.result()
        if (state === 'passed') passed++
        if (state === 'failed') failedInModule++
      }
      // A file that could not be loaded, or whose hook failed, has failed without a failed test.
      if (failedInModule === 0 && module.state() === 'failed') failedInModule = 1
      failed += failedInModule
    }
    // After the other reporters have written their summaries.
    process.once('exit', () => process.stdout.write(`\n${passed} passed, ${failed} failed\n`))
  }
}
