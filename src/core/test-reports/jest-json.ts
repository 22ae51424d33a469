/** Reads the JSON report of jest and vitest. */
import { z } from 'zod'
import { namedReport, reportedTest, type ReportedTest, type TestOutcome, type TestReport } from './report.ts'

const resultSchema = z.object({
  fullName: z.string().optional(),
  title: z.string().optional(),
  ancestorTitles: z.array(z.string()).optional(),
  status: z.string(),
})
const fileSchema = z.object({
  name: z.string(),
  status: z.string().optional(),
  assertionResults: z.array(resultSchema),
})
const jsonSchema = z.object({
  numTotalTests: z.number(),
  numFailedTests: z.number(),
  numPassedTests: z.number(),
  testResults: z.array(fileSchema),
})

export function readJestJson(text: string): TestReport | null {
  const document = documentIn(text)
  if (document === null) return null
  const tests = document.testResults.flatMap((file) => testsOf(file))
  const unread = document.testResults.filter(
    (file) => file.status === 'failed' && !file.assertionResults.some(({ status }) => status === 'failed'),
  )
  const broken = unread.map((file) => reportedTest('the file could not be run', 'failed', file.name))
  const listed = tests.filter(({ outcome }) => outcome === 'failed').length
  const doubts = listed < document.numFailedTests ? ['it counts more failed tests than it lists'] : []
  // Only jest counts files that could not run.
  const format = text.includes('"numRuntimeErrorTestSuites"') ? 'jest' : 'vitest'
  return namedReport(format, [...tests, ...broken], doubts)
}

function testsOf(file: z.infer<typeof fileSchema>): readonly ReportedTest[] {
  return file.assertionResults.map((result) => {
    const path = [...(result.ancestorTitles ?? []), result.title ?? ''].filter((part) => part !== '')
    const name = path.length > 0 ? path.join(' > ') : (result.fullName ?? 'test')
    return reportedTest(name, outcomeOf(result.status), file.name)
  })
}

/** An unknown status counts as failed. */
function outcomeOf(status: string): TestOutcome {
  if (status === 'passed') return 'passed'
  if (status === 'todo') return 'todo'
  return ['pending', 'skipped', 'disabled', 'focused'].includes(status) ? 'skipped' : 'failed'
}

/** The document starts on its own line; other output may surround it. */
function documentIn(text: string): z.infer<typeof jsonSchema> | null {
  if (!text.includes('"numTotalTests"')) return null
  const start = text.startsWith('{') ? 0 : text.indexOf('\n{') + 1
  const end = text.lastIndexOf('}')
  if (end < start) return null
  try {
    const parsed = jsonSchema.safeParse(JSON.parse(text.slice(start, end + 1)))
    return parsed.success ? parsed.data : null
  } catch {
    // Not JSON; other readers are tried.
    return null
  }
}
