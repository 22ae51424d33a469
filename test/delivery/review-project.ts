/** A project of one task with a developer and a reviewer, each a shell script of a few lines. */
import { Lab } from './lab.ts'

/** A report of approval, or whatever else a test says; $round is the round, $id the task. */
export const APPROVES = `verdict approved 'reads well'`

const DEVELOPER = `#!/bin/sh
id=$BOSUN_TASK_ID
work() { mkdir -p src; echo "export const value = '$1'" > src/value.js; echo 'grep -q value src/value.js' > test/value.t; }
report() { cat > "$BOSUN_REPORT" <<R
{"explanation":"wrote it","self_assessment":"confident","criteria":[{"criterion":1,"file":"src/value.js","line":1}],
 "review_note":{"summary":"adds a value","risks":[],"rollback":"revert the commit"}}
R
}
`

const REVIEWER = `#!/bin/sh
id=$BOSUN_TASK_ID round=\${BOSUN_WORKER_ID##*-review-}
cat > brief.txt
verdict() { printf '{"verdict":"%s","summary":"%s","critical":[%s],"major":[%s],"minor":[%s]}' "$1" "$2" "$3" "$4" "$5" > "$BOSUN_REPORT"; }
issue() { printf '{"description":"%s","location":"%s","how_to_fix":"%s"}' "$1" "$2" "$3"; }
`

const SUITE = `#!/bin/sh
n=0; bad=0
for t in test/*.t; do n=$((n + 1)); if sh "$t"; then echo "ok $n - $t"; else echo "not ok $n - $t"; bad=1; fi; done
echo "1..$n"
exit $bad
`

export interface ReviewProject {
  readonly tier?: 'critical' | 'normal' | 'low'
  /** What the developer does, in sh. */
  readonly developer?: string
  /** Its settings under `agents:` instead, as YAML in one line. */
  readonly builder?: string
  /** What the reviewer does, in sh. */
  readonly reviewer: string
  /** More keys of the task, as YAML in one line. */
  readonly task?: string
  /** Keys of `environment` besides, as YAML in one line. */
  readonly environment?: string
  /** Instead of a reviewer of its own. */
  readonly roles?: string
  /** More of bosun.yaml. */
  readonly settings?: string
  readonly files?: Readonly<Record<string, string>>
}

export function reviewProject(project: ReviewProject): Lab {
  const { tier = 'normal', developer = 'work good; report', task = '', environment = '' } = project
  const expected = task.includes('files:') ? '' : 'files: { create: [src/value.js] }, '
  const lab = new Lab({
    'suite.sh': SUITE,
    'test/base.t': 'true\n',
    'docs/design.md': '# Design\n\nA value is a string, and ``` is no fence of ours.\n',
    'plan.yaml': [
      'plan: small',
      'title: One value',
      'design: docs/design.md',
      `environment: { setup: null, test: { command: "sh suite.sh", report: tap }, lint: null, typecheck: null, build: null${environment} }`,
      'tasks:',
      `  - { id: "1", title: Add a value, tier: ${tier}, ownership: src, acceptance_criteria: ["a value is there"], ${expected}` +
        `tests_to_run: ["sh suite.sh"], tests_to_add: [test/value.t], gates: [unit]${task === '' ? '' : `, ${task}`} }`,
      '',
    ].join('\n'),
    ...project.files,
  })
  lab.write({
    'tools/developer.sh': `${DEVELOPER}${developer}\n`,
    'tools/reviewer.sh': `${REVIEWER}${project.reviewer}\n`,
    'bosun.yaml': [
      'agents:',
      `  builder: ${project.builder ?? '{ protocol: command, command: [sh, tools/developer.sh] }'}`,
      '  critic: { protocol: command, command: [sh, tools/reviewer.sh] }',
      `roles: ${project.roles ?? '{ developer: builder, fixer: builder, reviewer: critic }'}`,
      project.settings ?? '',
      '',
    ].join('\n'),
  })
  return lab
}

/** The review artifact of the task as it was committed. */
export const artifactOf = (lab: Lab): string =>
  lab.git('show', 'feat/small/working:docs/reviews/small/task-1-review.md')
