/** Which service manager this system has. */
import { homedir, userInfo } from 'node:os'
import { Refusal } from '../../lib/refusal.ts'
import { launchd } from './launchd.ts'
import type { Env, ServiceManager } from './service-manager.ts'
import { systemd } from './systemd.ts'

/** Null without a supported one. */
export function managerOf(platform: NodeJS.Platform, env: Env): ServiceManager | null {
  const set = env['HOME'] ?? ''
  const home = set === '' ? homedir() : set
  if (platform === 'linux') return systemd(env, home)
  return platform === 'darwin' ? launchd(home, userInfo().uid) : null
}

export function managerHere(env: Env): ServiceManager {
  const manager = managerOf(process.platform, env)
  if (manager !== null) return manager
  throw new Refusal({
    code: 'usage',
    message: `no supported service manager on ${process.platform}`,
    remedy: 'Run `bosun serve` under your own service manager.',
  })
}
