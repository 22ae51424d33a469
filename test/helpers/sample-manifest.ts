/** A manifest of one task whose release passes every check. */
import type { ReleaseManifest } from '../../src/core/delivery/release/manifest-schema.ts'

const GATED = 'e'.repeat(40)

export const sampleManifest: ReleaseManifest = {
  plan_id: 'shop',
  plan_doc: 'plan.yaml',
  design_doc: null,
  completed_at: '2026-01-02T03:04:05.000Z',
  tasks: [
    {
      task_id: '1',
      title: 'Do it',
      commit_sha: 'a'.repeat(40),
      review_artifact: 'docs/reviews/shop/task-1-review.md',
      tier: 'low',
      breaking_change: false,
    },
  ],
  remediation: [],
  dropped: [],
  superseded: [],
  tests_run: 4,
  tests_passed: 4,
  lint_clean: true,
  typecheck_clean: null,
  build_clean: null,
  risks: [],
  breaking_changes: [],
  migration_steps: [],
  rollback_plan: `src: git revert ${'a'.repeat(12)}`,
  recommended_next: [],
  evidence: [
    { claim: 'unit passed', command: 'npm test', exit_code: 0, tree: GATED, output_sha256: null },
    { claim: 'lint passed', command: 'npm run lint', exit_code: 0, tree: GATED, output_sha256: null },
  ],
  not_applicable: [],
  exit_code_alone: [],
  milestones: [],
  overrides: [],
}
