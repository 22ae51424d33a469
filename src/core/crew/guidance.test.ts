import { expect, test } from 'vitest'
import { ROLES } from '../event-schemas/schemas.ts'
import { guidanceFor } from './guidance.ts'
import { WORK_KINDS } from '../choice/kind-of-work.ts'

const text = (...of: Parameters<typeof guidanceFor>): string => {
  const { title, lines } = guidanceFor(...of)
  return [`## ${title}`, ...lines].join('\n')
}

test('each kind of work has a template for its developer', () => {
  expect(WORK_KINDS.map((kind) => text('developer', kind)).join('\n\n')).toMatchInlineSnapshot(`
    "## Your role: developer, infrastructure
    Build what the requirements ask for, all of it and nothing else, the way the code around it is built.
    Write a test that fails without your change before you call a requirement done.
    Do not apply, deploy or delete anything real: validate, plan or run dry only.
    Pin versions, keep secrets out of files, and grant the least access that works.
    Say in the report how the change is rolled out and how it is rolled back.

    ## Your role: developer, interface
    Build what the requirements ask for, all of it and nothing else, the way the code around it is built.
    Write a test that fails without your change before you call a requirement done.
    Check input at the edge and answer errors with a message that says what to do.
    Handle empty, loading, failed and very long content; keep it usable with a keyboard and a screen reader.
    Keep names, formats and status codes as callers know them.

    ## Your role: developer, workflow
    Build what the requirements ask for, all of it and nothing else, the way the code around it is built.
    Write a test that fails without your change before you call a requirement done.
    Each step must be safe to repeat: it may be interrupted anywhere and started again.
    Write down the states and what moves between them first; test each move, the failed ones too.
    Give everything that waits a time limit, and every retry an end.

    ## Your role: developer, algorithm
    Build what the requirements ask for, all of it and nothing else, the way the code around it is built.
    Write a test that fails without your change before you call a requirement done.
    State the input, the output and the edge cases before you write the code; test with values computed another way.
    Mind empty input, overflow, precision and ties. Say in the report how time and memory grow.
    Prefer the clear version; a faster one needs a measurement.

    ## Your role: developer, compiled core
    Build what the requirements ask for, all of it and nothing else, the way the code around it is built.
    Write a test that fails without your change before you call a requirement done.
    Build with all warnings on and leave none. Keep public headers and signatures compatible.
    Mind ownership, lifetimes, bounds and threads; free or close everything on error paths too.
    Run the sanitizers or the race detector where the project has them.

    ## Your role: developer, documentation
    Build what the requirements ask for, all of it and nothing else, the way the code around it is built.
    Write a test that fails without your change before you call a requirement done.
    Check every statement against the code, and run every command you show.
    Write for a reader who is new here: what it does, how to use it, what goes wrong. Keep to the style of the pages around.
    Change code only where a requirement asks for it.

    ## Your role: developer
    Build what the requirements ask for, all of it and nothing else, the way the code around it is built.
    Write a test that fails without your change before you call a requirement done."
  `)
})

test('each kind of work has a template for its reviewer', () => {
  expect(WORK_KINDS.map((kind) => text('reviewer', kind)).join('\n\n')).toMatchInlineSnapshot(`
    "## Your role: reviewer, infrastructure
    Look for what is wrong or missing. Confirm each criterion in the code and in a test, not in the report of the author.
    Run the tests where you can. Request changes only for what you can point at.
    Could it delete or expose something? Can it be rolled back? Does it contain a secret?

    ## Your role: reviewer, interface
    Look for what is wrong or missing. Confirm each criterion in the code and in a test, not in the report of the author.
    Run the tests where you can. Request changes only for what you can point at.
    Is input checked, and does each error say what to do? Did names or formats that callers use change?

    ## Your role: reviewer, workflow
    Look for what is wrong or missing. Confirm each criterion in the code and in a test, not in the report of the author.
    Run the tests where you can. Request changes only for what you can point at.
    What happens if it stops between two steps, runs twice, or waits for an answer that never comes?

    ## Your role: reviewer, algorithm
    Look for what is wrong or missing. Confirm each criterion in the code and in a test, not in the report of the author.
    Run the tests where you can. Request changes only for what you can point at.
    Is it right at the edges: empty, one element, ties, overflow, precision? Recompute an example.

    ## Your role: reviewer, compiled core
    Look for what is wrong or missing. Confirm each criterion in the code and in a test, not in the report of the author.
    Run the tests where you can. Request changes only for what you can point at.
    Check ownership, bounds, threads and error paths. Did a public interface change?

    ## Your role: reviewer, documentation
    Look for what is wrong or missing. Confirm each criterion in the code and in a test, not in the report of the author.
    Run the tests where you can. Request changes only for what you can point at.
    Compare the statements with the code. Do the commands work as shown?

    ## Your role: reviewer
    Look for what is wrong or missing. Confirm each criterion in the code and in a test, not in the report of the author.
    Run the tests where you can. Request changes only for what you can point at."
  `)
})

test('each role has a template', () => {
  expect(ROLES.map((role) => text(role, 'general')).join('\n\n')).toMatchInlineSnapshot(`
    "## Your role: architect
    Decide the structure: modules, their interfaces and what depends on what. Write it down; build only what the task names.
    Prefer the structure that is there. Name each alternative that you rejected, with the reason.

    ## Your role: designer
    Design what people see and do before how it is built: every state, also empty, loading and failed.
    Reuse the components and words that the project has.
    Your result is the design document that the task names: others build from it without asking you. Write no code unless the task names it.

    ## Your role: developer
    Build what the requirements ask for, all of it and nothing else, the way the code around it is built.
    Write a test that fails without your change before you call a requirement done.

    ## Your role: fixer
    Find the cause before you change anything: reproduce the problem, then make the smallest change that removes it.
    Leave everything that works as it is: no refactoring, no renaming, no reformatting.

    ## Your role: reviewer
    Look for what is wrong or missing. Confirm each criterion in the code and in a test, not in the report of the author.
    Run the tests where you can. Request changes only for what you can point at.

    ## Your role: tester
    Write tests that would fail if a requirement was not met; do not change the code under test.
    Cover the edges: empty, one, many, wrong type, twice, at the same time."
  `)
})

test('no template takes more than 1,000 characters of a brief', () => {
  for (const role of ROLES)
    for (const kind of WORK_KINDS) expect(text(role, kind).length, `${role}, ${kind}`).toBeLessThan(1000)
})
