import assert from 'node:assert/strict'
import { test } from 'node:test'
import { emptyBerths, moor } from '../src/berths.js'

test('a ship takes the first free berth', () => {
  assert.deepEqual(moor(['Anna', null, null], { name: 'Berta' }), ['Anna', 'Berta', null])
})

test('a full harbour refuses a ship', () => {
  assert.throws(() => moor(['Anna', 'Berta'], { name: 'Carla' }), /the harbour is full/)
})

test('the old berths stay as they were', () => {
  const before = emptyBerths(2)
  moor(before, { name: 'Anna' })
  assert.deepEqual(before, [null, null])
})
