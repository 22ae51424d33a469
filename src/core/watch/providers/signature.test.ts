import { expect, test } from 'vitest'
import { failureSignature } from './signature.ts'

test.each<[string, string, string]>([
  ['numbers', 'it exited with code 1; took 3.4 s', 'it exited with code 2; took 17 s'],
  ['paths', 'cannot find /tmp/a/b.js', 'cannot find /home/x/c.js'],
  ['hashes', 'bad object 4f2a9c1d', 'bad object 9e8b77aa01'],
  ['ids', 'request req_011CabD failed', 'request req_99XyzE failed'],
  ['workers', 'w-shop-1-1 lost its session', 'w-shop-12-3 lost its session'],
])('failures that differ in %s have the same cause', (_name, one, other) => {
  expect(failureSignature(one)).toBe(failureSignature(other))
})

test('failures in other words have other causes', () => {
  expect(failureSignature('last output: no key')).not.toBe(failureSignature('last output: no memory'))
})
