import { expect, test } from 'vitest'
import { aRelease } from '../../../test/helpers/requests.ts'
import { withoutPlaces } from './release-files.ts'

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
