/**
 * Ports for workers and gates: free when they are leased, and reserved until they are released. What is leased
 * for one who outlives this process is written down, and still leased for the process after it.
 */
import { once } from 'node:events'
import { mkdirSync, renameSync, rmSync } from 'node:fs'
import { createServer, type AddressInfo } from 'node:net'
import { dirname } from 'node:path'
import { z } from 'zod'
import { atomicWriteSync } from './atomic-write.ts'
import { readRegularIfExists } from './read-if-exists.ts'

export interface PortLease {
  readonly ports: readonly number[]
  release(): void
}

const MOST_TRIES = 200
const MAX_BYTES = 4 * 1024 * 1024
const held = z.record(z.string(), z.array(z.int().min(1).max(65_535)).readonly())

export class PortLeases {
  readonly #leased = new Set<number>()
  readonly #held: Map<string, readonly number[]>
  readonly #file: string | null

  /** `file` persists the leases; without it they end with this process. */
  constructor(file: string | null = null) {
    this.#file = file
    this.#held = new Map(file === null ? [] : Object.entries(readHeld(file)))
    for (const ports of this.#held.values()) for (const port of ports) this.#leased.add(port)
  }

  /** For as long as this process lives, at most. */
  async lease(count: number): Promise<PortLease> {
    const ports = await this.#take(count)
    return { ports, release: () => this.#giveBack(ports) }
  }

  /** Reserved until `release` for the same owner. A repeated call returns the same ports. */
  async hold(owner: string, count: number): Promise<readonly number[]> {
    const before = this.#held.get(owner)
    if (before?.length === count) return before
    this.release(owner)
    if (count === 0) return []
    const ports = await this.#take(count)
    this.#held.set(owner, ports)
    this.#write()
    return ports
  }

  /** Idempotent. */
  release(owner: string): void {
    const ports = this.#held.get(owner)
    if (ports === undefined) return
    this.#held.delete(owner)
    this.#giveBack(ports)
    this.#write()
  }

  owners(): readonly string[] {
    return [...this.#held.keys()]
  }

  async #take(count: number): Promise<readonly number[]> {
    const ports: number[] = []
    for (let tries = 0; ports.length < count; tries++) {
      if (tries >= count + MOST_TRIES) {
        this.#giveBack(ports)
        throw new Error(`cannot find ${count} free ports`)
      }
      const port = await freePort()
      if (this.#leased.has(port)) continue
      this.#leased.add(port)
      ports.push(port)
    }
    return ports
  }

  #giveBack(ports: readonly number[]): void {
    for (const port of ports) this.#leased.delete(port)
  }

  #write(): void {
    if (this.#file === null) return
    mkdirSync(dirname(this.#file), { recursive: true, mode: 0o700 })
    atomicWriteSync(this.#file, JSON.stringify(Object.fromEntries(this.#held)))
  }
}

/** What is no list of leases is set aside: ports in use are detected anyway. */
function readHeld(file: string): z.infer<typeof held> {
  try {
    const text = readRegularIfExists(file, MAX_BYTES)
    return text === null ? {} : held.parse(JSON.parse(text))
  } catch {
    rmSync(`${file}.damaged`, { recursive: true, force: true })
    renameSync(file, `${file}.damaged`)
    return {}
  }
}

/** A free port, chosen by the system. */
async function freePort(): Promise<number> {
  await using server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  return (server.address() as AddressInfo).port
}
