/** A project of one or two small tasks, and an agent whose one misbehaviour a test writes down. */
import { Lab } from './lab.ts'

/** Every `test/*.t` is a test: it passes, fails, or says that it is skipped. The output is TAP. */
const SUITE = `#!/bin/sh
n=0; bad=0
for t in test/*.t; do
  n=$((n + 1))
  if grep -q '^# skip' "$t"; then echo "ok $n - $t # SKIP"
  elif sh "$t"; then echo "ok $n - $t"
  else echo "not ok $n - $t"; bad=1; fi
done
echo "1..$n"
exit $bad
`

/** \`work\` does what is asked for, \`report\` says so; $repo is the user's repository, $id the task. */
const PREAMBLE = `#!/bin/sh
repo=$1 id=$BOSUN_TASK_ID
work() { mkdir -p "src/m$id"; echo "$id" > "src/m$id/value"; echo "test -e src/m$id/value" > "test/m$id.t"; }
report() { cat > "$BOSUN_REPORT" <<R
{"explanation":"wrote $id","self_assessment":"confident","criteria":[{"criterion":1,"file":"src/m$id/value","line":1}],
 "review_note":{"summary":"adds value $id","risks":[],"rollback":"revert the commit"}}
R
}
if [ "$BOSUN_ROLE" = reviewer ]; then
  echo '{"verdict":"approved","summary":"fine","critical":[],"major":[],"minor":[]}' > "$BOSUN_REPORT"; exit 0
fi
`

export interface SmallProject {
  /** What the agent does, in sh. */
  readonly agent: string
  /** Instead of the agent's own command. */
  readonly command?: string
  readonly tasks?: 1 | 2
  /** Of two tasks: the second does not wait for the first. */
  readonly sideBySide?: boolean
  /** Keys of the plan's environment, as YAML. */
  readonly environment?: string
  /** More of bosun.yaml. */
  readonly settings?: string
  /** More keys of the first task, as YAML in one line. */
  readonly task?: string
  readonly files?: Readonly<Record<string, string>>
  readonly provision?: (lab: Lab) => void
}

const ENVIRONMENT =
  'setup: null, test: { command: "sh suite.sh", report: tap }, lint: null, typecheck: null, build: null'

function planText({
  tasks = 1,
  environment = ENVIRONMENT,
  task = '',
  sideBySide = false,
}: SmallProject): string {
  const ids = tasks === 1 ? [1] : [1, 2]
  return [
    'plan: small',
    'title: Small values',
    `environment: { ${environment} }`,
    'tasks:',
    ...ids.map((id) => {
      const extra = id === 1 ? task : ''
      const files = extra.includes('files:') ? '' : `files: { create: [src/m${id}/value] },`
      const gates = extra.includes('gates:') ? '' : ', gates: [unit]'
      const run = extra.includes('tests_to_run:') ? '' : `tests_to_run: ["sh suite.sh"],`
      return (
        `  - { id: "${id}", title: Add value ${id}, tier: low, ownership: src/m${id}, depends_on: [${id === 2 && !sideBySide ? '"1"' : ''}], ` +
        `acceptance_criteria: ["value ${id} is there"], ${files} ${run} tests_to_add: [test/m${id}.t]${gates}${extra === '' ? '' : `, ${extra}`} }`
      )
    }),
    '',
  ].join('\n')
}

export interface ValueTask {
  readonly id: string
  readonly title?: string
  readonly tier?: 'low' | 'critical'
  readonly after?: readonly string[]
  readonly modify?: string
}

/** A plan whose tasks each add `src/m<id>/value`, as `work` of the agent does. */
export function valuesPlan(tasks: readonly ValueTask[], id = 'values', title = 'Values'): string {
  const lines = tasks.map(
    ({ id: task, title: name = `Add value ${task}`, tier = 'low', after = [], modify = '' }) =>
      `  - { id: "${task}", title: ${name}, tier: ${tier}, ownership: src/m${task}, depends_on: ${JSON.stringify(after)}, ` +
      `acceptance_criteria: ["value ${task} is there"], files: { create: [src/m${task}/value], modify: [${modify}] }, ` +
      `tests_to_add: [test/m${task}.t], tests_to_run: ["sh suite.sh"], gates: [unit] }`,
  )
  return [`plan: ${id}`, `title: ${title}`, `environment: { ${ENVIRONMENT} }`, 'tasks:', ...lines, ''].join(
    '\n',
  )
}

export const THREE_VALUES: readonly ValueTask[] = [
  { id: '1', title: 'Add the first value' },
  { id: '2', title: 'Add the second value' },
  { id: '3', title: 'Add the third value' },
]

export function smallProject(project: SmallProject): Lab {
  const files = {
    'suite.sh': SUITE,
    'lib/base': '1\n',
    'test/base.t': 'test "$(cat lib/base)" = 1\n',
    'plan.yaml': planText(project),
    ...project.files,
  }
  const lab = new Lab(files, project.provision)
  // Not in git: workers get it all the same, since the command names the user's own.
  const command = project.command ?? `[sh, tools/agent.sh, ${JSON.stringify(lab.repo)}]`
  lab.write({
    'tools/agent.sh': `${PREAMBLE}${project.agent}\n`,
    'bosun.yaml': `agents: { crew: { protocol: command, command: ${command} } }\n${project.settings ?? ''}`,
  })
  return lab
}
