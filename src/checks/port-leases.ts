/** Ports for gates: free when they are leased, and nobody else's in this process until they are given back. */
import { createServer } from 'node:net'

export interface PortLease {
  readonly ports: readonly number[]
  release(): void
}

const MOST_TRIES = 200

export class PortLeases {
  readonly #leased = new Set<number>()

  async lease(count: number): Promise<PortLease> {
    const ports: number[] = []
    for (let tries = 0; ports.length < count; tries++) {
      if (tries >= count + MOST_TRIES) {
        this.#giveBack(ports)
        throw new Error(`no ${count} free ports could be found`)
      }
      const port = await freePort()
      if (this.#leased.has(port)) continue
      this.#leased.add(port)
      ports.push(port)
    }
    return { ports, release: () => this.#giveBack(ports) }
  }

  #giveBack(ports: readonly number[]): void {
    for (const port of ports) this.#leased.delete(port)
  }
}

/** The system names one that nobody listens on. */
function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const server = createServer()
    server.once('error', reject)
    server.listen(0, '127.0.0.1', () => {
      const address = server.address()
      server.close(() => {
        if (address === null || typeof address === 'string') reject(new Error('a port has no number'))
        else resolve(address.port)
      })
    })
  })
}
