import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { portVariables } from '../process/built-environment.ts'
import { PortLeases } from './port-leases.ts'

const folder = mkdtempSync(join(tmpdir(), 'bosun-ports-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

test('no port is leased twice at the same time, whether it is leased or held', async () => {
  const leases = new PortLeases()
  const all = await Promise.all([leases.lease(5), leases.lease(5), leases.lease(0)])
  const held = await Promise.all([leases.hold('a', 5), leases.hold('b', 5)])
  const ports = [...all.flatMap((lease) => [...lease.ports]), ...held.flat()]
  expect(ports).toHaveLength(20)
  expect(new Set(ports).size).toBe(20)
  for (const lease of all) lease.release()
})

test('an owner has the same ports until they are released, also after a crash', async () => {
  const file = join(folder, 'state', 'ports.json')
  const before = new PortLeases(file)
  const ports = await before.hold('shop w-1', 2)
  expect(await before.hold('shop w-1', 2)).toEqual(ports)
  const after = new PortLeases(file)
  expect(after.owners()).toEqual(['shop w-1'])
  expect(await after.hold('shop w-1', 2)).toEqual(ports)
  after.release('shop w-1')
  after.release('shop w-1')
  expect(new PortLeases(file).owners()).toEqual([])
})

test('an owner who needs another number of ports gets other ones', async () => {
  const leases = new PortLeases(join(folder, 'other.json'))
  await leases.hold('w-1', 1)
  expect(await leases.hold('w-1', 3)).toHaveLength(3)
  expect(await leases.hold('w-1', 0)).toEqual([])
  expect(leases.owners()).toEqual([])
})

test('a list that cannot be read holds nothing up', () => {
  const file = join(folder, 'broken.json')
  writeFileSync(file, '{"w-1": "many"}')
  expect(new PortLeases(file).owners()).toEqual([])
  writeFileSync(file, '{"w-1": [')
  expect(new PortLeases(file).owners()).toEqual([])
})

test('what is no list is set aside, so that ports can be held', async () => {
  const file = join(folder, 'a-folder.json')
  mkdirSync(join(file, 'below'), { recursive: true })
  const leases = new PortLeases(file)
  expect(await leases.hold('w-1', 1)).toHaveLength(1)
  expect(new PortLeases(file).owners()).toEqual(['w-1'])
  expect(existsSync(join(`${file}.damaged`, 'below'))).toBe(true)
})

test('a program hears of its ports in its environment', () => {
  expect(portVariables([])).toEqual({})
  expect(portVariables([4001, 4002])).toEqual({
    PORT: '4001',
    BOSUN_PORTS: '4001,4002',
    BOSUN_PORT_1: '4001',
    BOSUN_PORT_2: '4002',
  })
})
