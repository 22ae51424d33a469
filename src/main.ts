/** Bosun, with the world of this machine: its git, its agents, its gates. */
import { readFileSync } from 'node:fs'
import manifest from '../package.json' with { type: 'json' }
import { BUILD } from './build.ts'
import { start } from './composition/start.ts'

/** This very program again. */
const self = [process.execPath, ...process.execArgv, process.argv[1] ?? ''] as const
const [command, argument = ''] = process.argv.slice(2)

/** Three commands are for Bosun itself: the process that owns a worker, the one that parses, and the agent without a model. */
async function main(): Promise<void> {
  if (command === 'supervise') {
    const { superviseMain } = await import('./agents/supervisor/supervise.ts')
    await superviseMain(argument)
  } else if (command === 'parse') {
    const { parseMain } = await import('./parsing/parse-main.ts')
    parseMain()
  } else if (command === 'scripted-agent') {
    const { scriptedMain } = await import('./agents/scripted/scripted-main.ts')
    const print = (text: string): void => void process.stdout.write(text)
    process.exitCode = await scriptedMain(argument === '' ? [] : [argument], {
      cwd: process.cwd(),
      env: process.env,
      print,
      brief: () => readFileSync(0, 'utf8'),
    })
  } else {
    await start({
      version: manifest.version,
      build: BUILD,
      worlds: async (place) => (await import('./composition/daemon-worlds.ts')).daemonWorlds(self, place),
      sights: async (place) => (await import('./composition/machine-sight.ts')).machineSights(place),
    })
  }
}

void main()
