import { expect, test } from 'vitest'
import { aRelease } from '../../../test/helpers/requests.ts'
import { sampleManifest } from '../../../test/helpers/sample-manifest.ts'
import { parseManifest } from '../../core/delivery/release/manifest-schema.ts'
import { manifestText, readManifest, withoutPlaces } from './release-repository.ts'

test.each([
  ['docs/plans/shop-plan.md', 'docs/plans/shop-plan.md'],
  ['/home/ada/shop/docs/shop-plan.md', 'docs/shop-plan.md'],
  ['/home/ada/shop-plans/shop-plan.md', 'shop-plan.md'],
  ['/tmp/shop-plan.md', 'shop-plan.md'],
  ['../shop-plan.md', 'shop-plan.md'],
  ['./shop-plan.md', 'shop-plan.md'],
  ['-', '-'],
])('a manifest names the document %s as %s, without a place of the machine', (written, named) => {
  const { manifest } = aRelease('tree')
  const both = { ...manifest, plan_doc: written, design_doc: written }
  expect(withoutPlaces(both, '/home/ada/shop')).toMatchObject({ plan_doc: named, design_doc: named })
  expect(withoutPlaces({ ...both, design_doc: null }, '/home/ada/shop').design_doc).toBeNull()
})

test('a manifest is short: small entries take a line, rare lists are left out where they are empty', () => {
  const written = {
    ...sampleManifest,
    not_applicable: [{ gate: 'lint', why: 'no lint command', tasks: 'all' as const, release: true }],
    criteria: { total: 1, passed: 1, unconfirmed: [] },
  }
  const text = manifestText(written)
  expect(text).toContain('\n  - { gate: lint, why: no lint command, tasks: all, release: true }\n')
  expect(text).toContain('\ncriteria: { total: 1, passed: 1, unconfirmed: [] }\n')
  expect(text).toContain('\nremediation: []\n')
  expect(text).not.toMatch(/superseded|exit_code_alone|milestones/)
  const read = readManifest(text)
  expect(parseManifest(read.ok ? read.manifest : null)).toEqual({ ok: true, manifest: written })
})
