/** The default of a worker that the script does not name: a developer creates the files of its contract, a reviewer approves. */
import { existsSync, readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { z } from 'zod'
import type { Attempt, CrewScript } from '../../core/dry-run/crew-script.ts'
import { readIfExists } from '../../lib/files/read-if-exists.ts'
import type { Surroundings } from './perform-attempt.ts'

const paths = z.array(z.string()).catch([])
const contractSchema = z.object({
  title: z.string().catch('the task'),
  expected_files: z.object({ create: paths, modify: paths }).catch({ create: [], modify: [] }),
  tests_to_add: paths,
})
type Contract = z.infer<typeof contractSchema>

interface Worker {
  readonly task: string
  readonly role: string
  readonly number: number
}

export function standIn(how: CrewScript['stand_in'], worker: Worker, around: Surroundings): Attempt {
  if (worker.role === 'reviewer') {
    return { steps: [], report: { verdict: 'approved', summary: 'nothing was looked at' }, exit: 0 }
  }
  const contract = contractOf(around.env['BOSUN_CONTRACT'])
  switch (how) {
    case 'empty':
      return emptyFiles(contract)
    case 'placeholder':
      return placeholders(contract, worker, around)
  }
}

function contractOf(path: string | undefined): Contract {
  const isThere = path !== undefined && existsSync(path)
  return contractSchema.parse(isThere ? JSON.parse(readFileSync(path, 'utf8')) : {})
}

function emptyFiles({ title, expected_files: { create } }: Contract): Attempt {
  const write = Object.fromEntries(create.map((file) => [file, '']))
  return {
    steps: create.length === 0 ? [] : [{ write }],
    report: {
      explanation: `created empty files for ${title}`,
      self_assessment: 'uncertain',
      files: { created: create },
    },
    exit: 0,
  }
}

/** One line per file; a later attempt marks it as revised and repeats the feedback. */
function placeholders(contract: Contract, worker: Worker, around: Surroundings): Attempt {
  const { create, modify } = contract.expected_files
  const named = [...new Set([...create, ...modify, ...contract.tests_to_add])]
  const files = named.length === 0 ? [`dry-run/task-${worker.task.replaceAll(/\W+/g, '-')}.txt`] : named
  const feedback = worker.number === 1 ? null : feedbackIn(around.brief())
  const revised = feedback === null ? '' : ` [revised] ${feedback}`
  const line = `dry run: task ${worker.task} (${contract.title}), attempt ${worker.number}${revised}\n`
  const write = Object.fromEntries(
    files.map((file) => [file, `${readIfExists(resolve(around.cwd, file)) ?? ''}${line}`]),
  )
  return {
    steps: [{ write }],
    report: {
      explanation: `placeholder for ${contract.title}${revised}`,
      self_assessment: 'confident',
      files: { created: create, modified: modify },
      review_note: {
        summary: `Placeholder of a dry run for ${contract.title}${revised}`,
        risks: [],
        rollback: 'Revert the commit.',
      },
    },
    exit: 0,
  }
}

const LONGEST_FEEDBACK = 500

/** What the brief says is to change. */
function feedbackIn(brief: string): string {
  const [, after = ''] = brief.split(/^#+ This is attempt \d+:.*$/m)
  const [section = ''] = after.split(/^#/m)
  const lines = section.split('\n').flatMap((line) => /^- (.*)$/.exec(line)?.[1] ?? [])
  return lines.join(' ').slice(0, LONGEST_FEEDBACK)
}
