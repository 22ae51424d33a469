/** Bosun, with the world of this machine: its git, its agents, its gates. */
import manifest from '../package.json' with { type: 'json' }
import { BUILD } from './build.ts'
import { start } from './start.ts'

/** This very program again. */
const self = [process.execPath, ...process.execArgv, process.argv[1] ?? ''] as const
const [command, argument = ''] = process.argv.slice(2)

/** Two commands are for Bosun itself: the process that owns a worker, and the agent without a model. */
async function main(): Promise<void> {
  if (command === 'supervise') {
    const { superviseMain } = await import('./agents/supervisor/supervise.ts')
    await superviseMain(argument)
  } else if (command === 'scripted-agent') {
    const { scriptedMain } = await import('./agents/scripted/scripted-main.ts')
    const print = (text: string): void => void process.stdout.write(text)
    process.exitCode = await scriptedMain(argument === '' ? [] : [argument], {
      cwd: process.cwd(),
      env: process.env,
      print,
    })
  } else {
    await start({ version: manifest.version, build: BUILD, worlds })
  }
}

async function worlds({ root, url, onTrouble }: Parameters<Parameters<typeof start>[0]['worlds']>[0]) {
  const { machineWorlds } = await import('./machine-world.ts')
  const supervise = [...self, 'supervise']
  const scripted = [...self, 'scripted-agent']
  return machineWorlds({ root, url, env: process.env, supervise, scripted, onTrouble })
}

void main()
