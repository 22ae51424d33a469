/** Bosun, with the world of this machine: its git, its agents, its gates. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import manifest from '../package.json' with { type: 'json' }
import { BUILD } from './build.ts'
import type { Sights, SightPlace } from './machine-sight.ts'
import { start } from './start.ts'

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
    await start({ version: manifest.version, build: BUILD, worlds, sights })
  }
}

async function worlds({ root, url, onTrouble }: Parameters<Parameters<typeof start>[0]['worlds']>[0]) {
  const [{ machineWorlds }, { ChildParser }, { builtEnvironment }, { textIfThere }, { DRY_RUN_FILE }] =
    await Promise.all([
      import('./machine-world.ts'),
      import('./parsing/child-parser.ts'),
      import('./lib/process/built-environment.ts'),
      import('./lib/text-if-there.ts'),
      import('./core/dry-run.ts'),
    ])
  const supervise = [...self, 'supervise']
  const scripted = [...self, 'scripted-agent']
  const parser = new ChildParser({ command: [...self, 'parse'], env: builtEnvironment(process.env) })
  const machine = { root, url, env: process.env, supervise, scripted, parser, onTrouble }
  const dryRun = textIfThere(join(root, DRY_RUN_FILE))
  if (dryRun === null) return machineWorlds(machine)
  const [{ dryRunWorlds }, { parseDryRun }] = await Promise.all([
    import('./dry-run-world.ts'),
    import('./config/read-dry-run.ts'),
  ])
  return dryRunWorlds(machine, parseDryRun(dryRun, join(root, DRY_RUN_FILE)))
}

async function sights(place: SightPlace): Promise<Sights> {
  const { machineSights } = await import('./machine-sight.ts')
  return machineSights(place)
}

void main()
