import { expect, test } from 'vitest'
import { PortLeases } from './port-leases.ts'

test('no port is leased twice at the same time', async () => {
  const leases = new PortLeases()
  const all = await Promise.all([leases.lease(5), leases.lease(5), leases.lease(0)])
  const ports = all.flatMap((lease) => [...lease.ports])
  expect(ports).toHaveLength(10)
  expect(new Set(ports).size).toBe(10)
  for (const lease of all) lease.release()
})
