import { describe, expect, it } from 'vitest'
import { parseJsonText, parseYamlText } from '../../lib/files/yaml-text.ts'
import { completePlan } from './complete-plan.ts'
import { readPlan } from './readers/read-plan.ts'
import { NO_FACTS } from './task-files.ts'
import { defaultSettings } from '../settings/settings.ts'

const forms = { yaml: parseYamlText, json: parseJsonText }
const planOf = (text: string, source = 'plan.md') =>
  completePlan(readPlan({ source, text }, forms), NO_FACTS, defaultSettings())
const problemLines = (text: string, source?: string) =>
  planOf(text, source).problems.map((one) => `${one.line}: ${one.severity}: ${one.message}`)

const LONG = 'a-plan-whose-name-is-longer-than-forty-characters'
const TASK = '### Task 1: Add it\n\n- Create: `src/a.ts`\n'

describe('a plan id that is longer than 40 characters', () => {
  it('is cut with a warning where it comes from the file name', () => {
    const plan = planOf(TASK, `docs/${LONG}.md`)
    expect(plan.header).toMatchObject({
      id: expect.stringMatching(/^a-plan-whose-name-is-longer-tha-[0-9a-f]{8}$/) as string,
    })
    expect(problemLines(TASK, `docs/${LONG}.md`)).toContain(
      `1: warning: the plan's name ${LONG} has 49 characters; the limit is 40, so its id is ${plan.header.id}`,
    )
  })

  it('is an error at its line where the author wrote it, in YAML and in front matter', () => {
    const message = `error: the plan id ${LONG} has 49 characters; the limit is 40`
    const yaml = `title: Shop\nplan: ${LONG}\ntasks:\n  - { id: "1", title: Add it }\n`
    expect(problemLines(yaml, 'plan.yaml')).toContain(`2: ${message}`)
    expect(problemLines(`---\ntitle: Shop\nplan: ${LONG}\n---\n${TASK}`)).toContain(`3: ${message}`)
  })

  it('is no problem with exactly 40', () => {
    expect(problemLines(TASK, `${'a'.repeat(40)}.md`)).toEqual([])
  })
})

describe('two tasks that create the same file', () => {
  const second = (list: string) => `${TASK}\n### Task 2: More\n\n${list}\n`

  it('cause a warning with both lines', () => {
    expect(problemLines(second('- Create: `./src/a.ts`'))).toEqual([
      '5: warning: task 2 (line 5) creates src/a.ts, which task 1 (line 1) also creates',
    ])
  })

  it('cause no warning where the later one modifies it, or it was deleted in between', () => {
    expect(problemLines(second('- Modify: `src/a.ts`'))).toEqual([])
    const gone = second('- Delete: `src/a.ts`')
    expect(problemLines(`${gone}\n### Task 3: Again\n\n- Create: \`src/a.ts\`\n`)).toEqual([])
  })
})
