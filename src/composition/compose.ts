/**
 * Puts the services of the command line together. Each is imported on first use, so that a command loads only
 * what it needs. The worlds of plans are passed in.
 */
import { join } from 'node:path'
import type { Host, HostParts, WatchPace } from '../app/host/host.ts'
import type { Worlds } from '../app/host/plan-place.ts'
import type { Services } from '../cli/services.ts'
import type { Terminal } from '../cli/terminal/terminal.ts'
import type { StartedDaemon } from '../client/start-daemon.ts'
import type { LogEvent } from '../core/log/log-events.ts'
import { Refusal } from '../lib/refusal.ts'
import { Redactor } from '../lib/text/redactor.ts'
import { folderIfThere } from '../lib/files/working-folder.ts'
import type { Sights, SightPlace } from './machine-sight.ts'
import type { DaemonFinding } from '../ports/machine.ts'
import type { Store } from '../store/open-store.ts'
import { stateRoot } from '../store/root-path.ts'
import { EXIT_CODES } from '../cli/command.ts'

export interface Composition {
  readonly version: string
  /** Tells programs of one version apart. */
  readonly build: string
  /** How often its daemon checks workers; absent for the default. */
  readonly watch?: WatchPace | undefined
  readonly terminal: Terminal
  /** Shows plans' workers without a daemon; absent where there are no processes. */
  readonly sights?: (place: SightPlace) => Promise<Sights>
  /** Makes the worlds of a daemon that workers reach at `url`. Called once per daemon. */
  readonly worlds: (daemon: {
    readonly root: string
    readonly url: string
    readonly onError: (what: string, error: unknown) => void
    /** Takes in what the worlds hold. */
    readonly hide: Redactor
  }) => Promise<Worlds & Pick<HostParts, 'openInterviews'>>
}

export function servicesOf(composition: Composition): Services {
  const { terminal } = composition
  return {
    async machine() {
      const { machineAt } = await import('../config/machine.ts')
      const { examineStateRoot } = await import('./examine-state.ts')
      const root = stateRoot(terminal.env)
      const folder = folderIfThere(terminal)
      const place = { stateRoot: root, env: terminal.env }
      const machine = machineAt({
        cwd: folder ?? '/',
        env: terminal.env,
        versions: process.versions,
        stateRoot: () => examineStateRoot(root),
        daemon: () => examineDaemon(root),
        agents: async () => (await import('./crew/open-brain.ts')).agentsHere(place),
        sandbox: async () => (await import('../sandbox/open-sandbox.ts')).findSandbox(),
        brain: async (asked) => (await import('./crew/open-brain.ts')).brainHere({ ...asked, ...place }),
        startRefusals: async (place) => {
          const { startRefusals } = await import('./start-refusals.ts')
          return startRefusals({ ...place, state: root, env: terminal.env })
        },
      })
      if (folder !== null) return machine
      return { ...machine, repository: () => Promise.resolve({ kind: 'gone' }) }
    },
    async installAdapter(agent) {
      const { installAdapterOf } = await import('../agents/profiles/install-adapter.ts')
      return installAdapterOf(agent, { root: stateRoot(terminal.env), env: terminal.env })
    },
    async takenOver(worker, session) {
      const { takenOver } = await import('../agents/worker-folders.ts')
      return takenOver(stateRoot(terminal.env), worker, session)
    },
    async simulator() {
      const [{ simulator }, { MemoryEventLog }, { eventCodec }] = await Promise.all([
        import('../simulation/simulator.ts'),
        import('../store/memory-event-log.ts'),
        import('../core/events/codec.ts'),
      ])
      return simulator(() => new MemoryEventLog(eventCodec))
    },
    async openLogToRead() {
      const [{ openStoreForReading, refuseLostDatabase }, { logCodec }] = await storeModules()
      const root = stateRoot(terminal.env)
      const opened = await openStoreForReading({ root, codec: logCodec })
      if (opened.ok) return disposable(opened.store)
      await refuseLostDatabase(join(root, 'bosun.db'))
      throw new Refusal({
        code: 'not_found',
        message: `no state found in ${root}`,
        remedy: 'Set BOSUN_HOME if the state is somewhere else.',
      })
    },
    async openLogToWrite(purpose) {
      const [store, { logCodec }, { refuseLostPlans }] = await Promise.all([
        openToWrite(terminal),
        import('../core/log/log-events.ts'),
        import('./lost-plans.ts'),
      ])
      try {
        // Lost plans are restored by an import.
        if (purpose === 'steer') await refuseLostPlans(store.log, store.root)
      } catch (error) {
        await store.close()
        throw error
      }
      return { ...disposable(store), codec: logCodec }
    },
    async cleaning() {
      const { caretakerOf } = await import('./open-repository.ts')
      const store = await openToWrite(terminal)
      return {
        ...disposable(store),
        caretakerOf: ({ id }) => caretakerOf(join(store.root, 'repos', id), terminal.env),
      }
    },
    async unknownWorkers() {
      const [{ caretakerOf }, folders, { unknownWorkers }] = await Promise.all([
        import('./open-repository.ts'),
        import('../agents/worker-folders.ts'),
        import('../app/workers/unknown-workers.ts'),
      ])
      const store = await openToWrite(terminal)
      const { log, root } = store
      return {
        unknown: await unknownWorkers(log, folders.workerFolders(root)),
        end: (worker) => folders.endWorker(root, worker),
        putAside: (worker) => folders.putWorkerAside(root, worker),
        save: async (repository, finishedWorkers) => {
          const caretaker = await caretakerOf(join(root, 'repos', repository), terminal.env)
          const kept = { isIdle: false, keepSavedMs: Number.MAX_SAFE_INTEGER, nowMs: Date.now() }
          await caretaker?.clean({ finishedWorkers, ...kept })
        },
        [Symbol.asyncDispose]: () => store.close(),
      }
    },
    async tryCommands(request) {
      const [{ tryRepositoryCommands }, { keepTrials }, { findWorkTree }, secrets] = await Promise.all([
        import('./borrowed-repository.ts'),
        import('../app/intake/kept-trials.ts'),
        import('../config/repository.ts'),
        import('../core/gates/secrets/secret-values.ts'),
      ])
      const { cwd, env } = terminal
      const tried = await tryRepositoryCommands(cwd, env, request)
      const kept = new Redactor(secrets.secretsByName(env)).inAll(tried)
      await keepTrials(stateRoot(env), (await findWorkTree(cwd)) ?? cwd, { at: Date.now(), tried: kept })
      return tried
    },
    async releaseRepository() {
      const { openReleaseRepository } = await import('./borrowed-repository.ts')
      return openReleaseRepository(terminal.cwd, terminal.env)
    },
    async newProject() {
      const [{ findWorkTree }, { Git, surroundingsIn }, { findNewProject }] = await Promise.all([
        import('../config/repository.ts'),
        import('../workspaces/git/git.ts'),
        import('../workspaces/new-project.ts'),
      ])
      const { cwd, env } = terminal
      const git = new Git(surroundingsIn(env))
      const home = env['HOME'] ?? process.getBuiltinModule('node:os').homedir()
      return findNewProject({ git, cwd, root: await findWorkTree(cwd), home })
    },
    daemon: () => openDaemon(composition),
    async daemonIfWanted() {
      const { isWanted } = await import('../client/find-daemon.ts')
      return (await isWanted(stateRoot(terminal.env))) ? openDaemon(composition) : null
    },
    async reading() {
      const [{ lookToRead }, { daemonAt }, place] = await daemonModules(composition)
      const look = await lookToRead(place)
      const { root } = place
      if (look.kind === 'ours') {
        const lost = () => Promise.reject(look.lost())
        const daemon = daemonAt(look.address, lost)
        return {
          offline: null,
          get: (path, asked) => daemon.get(path, asked),
          [Symbol.asyncDispose]: async () => undefined,
        }
      }
      const { readAlone } = await import('./read-alone.ts')
      const sights = async () => (await composition.sights?.({ root, env: terminal.env })) ?? null
      return readAlone({ root, env: terminal.env, why: look, sights })
    },
    async runningDaemon() {
      const [{ runningDaemon, awaitDaemon }, { daemonAt }, { root }] = await daemonModules(composition)
      const address = await runningDaemon(root)
      return address === null ? null : daemonAt(address, () => awaitDaemon(root))
    },
    async stopOrphans(repository, workers, cause) {
      const place = { root: stateRoot(terminal.env), env: terminal.env }
      if (workers.length > 0) (await composition.sights?.(place))?.stopOrphans(repository, workers, cause)
    },
    async stopDaemon(how) {
      const [{ stopDaemon }, , place] = await daemonModules(composition)
      return stopDaemon(place.root, how, place.onProgress)
    },
    service: () => servicePlace(terminal),
    serve: (request) => becomeDaemon(composition, request),
    elsewhere: (place) => servicesOf({ ...composition, terminal: { ...terminal, ...place } }),
    interruption() {
      const controller = new AbortController()
      for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const)
        process.once(signal, () => controller.abort())
      return controller.signal
    },
  }
}

async function becomeDaemon(
  composition: Composition,
  { host, port }: Parameters<Services['serve']>[0],
): ReturnType<Services['serve']> {
  const { version, build, terminal, worlds, watch } = composition
  const [{ serve }, { refuseWiderAddress }, { Host }, { systemClock }, openFiles, secrets] =
    await Promise.all([
      import('../server/serve.ts'),
      import('../server/listen.ts'),
      import('../app/host/host.ts'),
      import('../lib/system/system-clock.ts'),
      import('../lib/files/open-files.ts'),
      import('../core/gates/secrets/secret-values.ts'),
    ])
  const hide = new Redactor(secrets.secretsByName(terminal.env))
  if (host !== undefined) refuseWiderAddress(host, port ?? (await likelyPort(terminal)))
  openFiles.refuseFewOpenFiles(openFiles.openFilesLimit())
  process.title = 'bosun serve'
  /** Writes to the daemon log, which is its stderr. */
  const onError = (what: string, error: unknown): void => {
    const why = error instanceof Error ? (error.stack ?? error.message) : String(error)
    terminal.printMessage(hide.text(`${new Date().toISOString()} ${what}: ${why}\n`))
  }
  return serve({
    version,
    build,
    port,
    onError,
    openStore: async () => {
      const store = await openToWrite(terminal)
      // It is checked in the background, and never rejects.
      const report = async () => {
        const found = await store.integrity
        if (found.state === 'damaged') onError('database integrity check', found.error)
      }
      void report()
      return store
    },
    openHost: async ({ log, repositories, notes, integrity }, { root, url, secret, daemon }) => {
      const [{ refuseLostPlans }, { livingWorkers }, { readTranscript }] = await Promise.all([
        import('./lost-plans.ts'),
        import('../agents/worker-folders.ts'),
        import('../agents/read-transcript.ts'),
      ])
      await refuseLostPlans(log, root)
      hide.hold(secrets.heldSecrets({ userToken: secret }))
      const made = await worlds({ root, url, onError, hide })
      const damage = integrity.then((found) =>
        found.state === 'damaged' ? `${found.error.message}. ${found.error.remedy}` : null,
      )
      return Host.open({
        root,
        secret,
        hide,
        daemon,
        log,
        repositories,
        notes,
        clock: systemClock,
        ...made,
        livingWorkers: (repository, plan) => livingWorkers(root, repository, plan),
        transcripts: async (repository, worker, after) => readTranscript(root, { repository, worker }, after),
        machineIn: (cwd) => servicesOf({ ...composition, terminal: { ...terminal, cwd } }).machine(),
        openNotices: (host) => openNotices(host, terminal.env, url),
        onError,
        watch,
        damage,
      })
    },
  })
}

/** Of the daemon of this state root, whether it runs or not. */
async function likelyPort({ env }: Terminal): Promise<number> {
  const [{ usualPort }, { readAddress }] = await Promise.all([
    import('../server/serve.ts'),
    import('../client/exchange.ts'),
  ])
  const { realpath } = process.getBuiltinModule('node:fs/promises')
  const root = stateRoot(env)
  const address = await readAddress(root)
  return address?.facts.port ?? usualPort(await realpath(root).catch(() => root))
}

async function openNotices(host: Host, env: Terminal['env'], url: string) {
  const { openNoticeWatch } = await import('../app/notices/notice-watch.ts')
  const settingsIn = async (folder: string) =>
    (await import('../config/read-settings.ts')).notifySettingsIn(folder)
  return openNoticeWatch(host, { env, url, settingsIn })
}

/** The service manager starts the same program with this command's environment. */
async function servicePlace({ cwd, env }: Terminal): ReturnType<Services['service']> {
  const [{ managerHere }, { serviceFacts }, { PACKAGE_ROOT }] = await Promise.all([
    import('../app/service/manage-service.ts'),
    import('../app/service/service-manager.ts'),
    import('../lib/system/package-root.ts'),
  ])
  const program = join(PACKAGE_ROOT, 'bin', 'bosun')
  return { manager: managerHere(env), facts: serviceFacts(program, { cwd, env }), env }
}

/** Takes the lock of the state root; one process at a time may write. */
async function openToWrite(terminal: Terminal): Promise<Store<LogEvent>> {
  const [{ openStore }, { logCodec }] = await storeModules()
  const root = stateRoot(terminal.env)
  const opened = await openStore({ root, codec: logCodec })
  if (opened.ok) return opened.store
  throw new Refusal({
    code: 'conflict',
    message: `${root} is locked by another Bosun process${opened.pid === null ? '' : ` (pid ${opened.pid})`}`,
    remedy: 'Stop the daemon (bosun stop) or wait for that process to end, then try again.',
  })
}

const disposable = <S extends { close(): Promise<void> }>(store: S): S & AsyncDisposable => ({
  ...store,
  [Symbol.asyncDispose]: () => store.close(),
})

function storeModules() {
  return Promise.all([import('../store/open-store.ts'), import('../core/log/log-events.ts')])
}

async function openDaemon(composition: Composition) {
  const [{ findDaemon, findDaemonAgain }, { daemonAt }, place] = await daemonModules(composition)
  return daemonAt(await findDaemon(place), () => findDaemonAgain(place))
}

async function daemonModules({ version, build, terminal }: Composition) {
  const [find, daemon, { startDaemon }] = await Promise.all([
    import('../client/find-daemon.ts'),
    import('../client/daemon.ts'),
    import('../client/start-daemon.ts'),
  ])
  const root = stateRoot(terminal.env)
  // The daemon is this program again.
  const command = [process.execPath, ...process.execArgv, process.argv[1] ?? '', 'serve'] as const
  const spawn = () => startDaemon({ root, command, env: terminal.env, heldExit: EXIT_CODES.conflict })
  const start = async () => ((await isStartedByManager(terminal)) ? NO_CHILD : spawn())
  const onProgress = (line: string): void => terminal.printMessage(line)
  const hindrance = async () => (await import('./lost-plans.ts')).lostDatabase(root)
  return [find, daemon, { root, version, build, start, onProgress, hindrance }] as const
}

/** The service manager's daemon is not our child process; it is known to serve when it answers. */
const NO_CHILD: StartedDaemon = { ended: () => null }

/** Starts the daemon through the service manager where it is installed as a service. */
async function isStartedByManager(terminal: Terminal): Promise<boolean> {
  const { managerOf, isInstalled, startByManager } = await import('../app/service/manage-service.ts')
  const manager = managerOf(process.platform, terminal.env)
  return manager !== null && isInstalled(manager) && startByManager(await servicePlace(terminal))
}

async function examineDaemon(root: string): Promise<DaemonFinding> {
  const { lookForDaemon, offlineRefusal } = await import('../client/look-for-daemon.ts')
  const look = await lookForDaemon(root)
  if (look.kind === 'serving') return { kind: 'serving', pid: look.address.facts.pid }
  if (look.kind !== 'silent') return look
  const { message, remedy } = offlineRefusal(look, root)
  return { kind: 'silent', message, remedy }
}
