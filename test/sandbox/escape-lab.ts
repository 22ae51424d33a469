/**
 * A user's home, repository and state root with canaries in them, and workers and checks that try to reach them: each attempt
 * of attempts.json runs in a sandbox, and what proves its success runs outside of it afterwards.
 */
import { execFileSync, spawn, spawnSync, type ChildProcess } from 'node:child_process'
import { chmodSync, mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { pathWithoutAgents } from '../helpers/path-without-agents.ts'
import { endProcessesIn } from '../helpers/end-processes.ts'
import { tempFolder } from '../helpers/temp-folder.ts'
import ATTEMPTS from './attempts.json' with { type: 'json' }

export interface Attempt {
  readonly id: string
  readonly group: string
  readonly as: string
  readonly title: string
  /** Runs in the sandbox. */
  readonly script: string
  /** Runs outside afterwards; 0: it escaped. */
  readonly escaped: string
}

const ALL: readonly Attempt[] = ATTEMPTS
const BIN = join(import.meta.dirname, '../../bin/bosun')
const PATH = pathWithoutAgents(`${dirname(process.execPath)}:/usr/local/bin:/usr/bin:/bin`)
/** A user of whom nothing else is on a machine. */
const OTHER = '65534'

/** What docs/sandbox.md says is not kept out: objects of the quarantine, which clones borrow, and the kernel's keyring. */
const KNOWN = ['state-quarantine-objects-read', 'process-keyring', 'leftover-keyring']

/** Files of a home with what they hold. */
const HOME: Readonly<Record<string, string>> = {
  '.ssh/id_ed25519': 'canary-ssh',
  '.aws/credentials': 'canary-aws',
  '.config/gh/hosts.yml': 'canary-gh',
  '.netrc': 'canary-netrc',
  '.git-credentials': 'canary-gitcred',
  '.npmrc': '//registry.example/:_authToken=canary-npm',
  '.docker/config.json': 'canary-docker',
  '.gnupg/secret': 'canary-gpg',
  '.codex/auth.json': 'canary-codex',
  '.claude/.credentials.json': 'canary-claude',
  '.bash_history': 'canary-history',
  '.pgpass': 'canary-pgpass',
  '.config/rclone/rclone.conf': 'canary-rclone',
  '.kube/config': 'canary-kube',
  'dotfiles/glab-cli/config.yml': 'canary-glab',
  '.bashrc': '# nothing\n',
  '.profile': '# nothing\n',
  '.gitconfig': '[user]\n\tname = Ann\n\temail = ann@example.org\n',
  '.config/systemd/user/README': 'units\n',
}

/** Runs attempts by the id of a task: a group of them, or one that hands something in. */
const AGENT = `#!/bin/sh
attempts=$1 out=$2
cat > /dev/null
export ATTACK_PORT="\${BOSUN_URL##*:}"
attack() { ATTACK_OUT="$out/$1.out" timeout 8 sh "$attempts/$1.sh" > "$out/$1.out" 2>&1 < /dev/null; }
case $BOSUN_TASK_ID in
  plant) mkdir -p src; echo canary-clone > OTHER.txt; echo 1 > src/value; echo '{"explanation":"wrote it"}' > "$BOSUN_REPORT" ;;
  check) mkdir -p src; echo 1 > src/check; printf 'for id in $(cat %s/gates.list); do ATTACK_OUT=%s/$id.out timeout 8 sh %s/$id.sh > %s/$id.out 2>&1 < /dev/null; done\\ntrue\\n' "$attempts" "$out" "$attempts" "$out" > test/check.t
    echo '{"explanation":"wrote it"}' > "$BOSUN_REPORT" ;;
  one-*) echo "$BOSUN_TASK_ID" > handed.txt; echo '{"explanation":"wrote it"}' > "$BOSUN_REPORT"; attack "\${BOSUN_TASK_ID#one-}" ;;
  *) for id in $(cat "$attempts/$BOSUN_TASK_ID.list"); do attack "$id"; done ;;
esac
`
const SUITE =
  '#!/bin/sh\nn=0\nfor t in test/*.t; do n=$((n+1)); sh "$t" && echo "ok $n - $t"; done\necho "1..$n"\n'

export class EscapeLab {
  readonly folder = tempFolder('escapes')
  readonly #as: 'root' | 'user'
  readonly #bystander: ChildProcess

  constructor(as: 'root' | 'user') {
    this.#as = as
    const [program = '', ...args] = [...this.#prefix(), 'sleep', '600']
    this.#bystander = spawn(program, args, {
      env: { PATH, ATTACK_SECRET: 'canary-env' },
      stdio: 'ignore',
    })
    for (const [name, text] of Object.entries(HOME)) this.#write(`home/${name}`, text)
    symlinkSync(this.#at('home/dotfiles/glab-cli'), this.#at('home/.config/glab-cli'))
    for (const name of ['attempts', 'out', 'outside', 'repo']) mkdirSync(this.#at(name), { recursive: true })
    for (const { id, script } of ALL) this.#write(`attempts/${id}.sh`, script)
    this.#write('tools/agent.sh', AGENT)
    this.#write('repo/suite.sh', SUITE)
    this.#write('repo/test/base.t', 'true\n')
    const allow = [`'${this.#at('attempts')}'`, `'${this.#at('out')}:rw'`, `'${this.#at('tools')}'`]
    const command = ['sh', ...['tools/agent.sh', 'attempts', 'out'].map((name) => this.#at(name))]
    this.#write(
      'repo/bosun.yaml',
      [
        `agents: { mine: { protocol: command, command: ${JSON.stringify(command)}, env: ${JSON.stringify(this.#variables())} } }`,
        'pm: { retry_budget: 0, max_parallel_agents: 12 }',
        `sandbox: { allow: [${allow.join(', ')}] }`,
        'roles: { reviewer: rules }',
        'brain: { provider: none }',
        '',
      ].join('\n'),
    )
    for (const name of ['out', 'outside']) chmodSync(this.#at(name), 0o777)
    if (this.#isOther) execFileSync('chown', ['-R', `${OTHER}:${OTHER}`, this.folder])
    this.#run('git', ['init', '-q', '-b', 'main', '.'])
    this.#run('git', ['add', '-A'])
    this.#run('git', ['commit', '-qm', 'Start'])
  }

  /** Root runs it as that user; an ordinary user runs it as itself. */
  get #isOther(): boolean {
    return this.#as === 'user' && process.getuid?.() === 0
  }

  /** The attempts that escaped, by group and id, but for what is known. */
  async escapes(): Promise<readonly string[]> {
    const groupOf = (id: string): string => ALL.find((one) => one.id === id)?.group ?? ''
    const mine = ALL.filter(({ id, as }) => !KNOWN.includes(id) && (as === 'both' || as === this.#as))
    const handedIn = mine.filter(({ group }) => group === 'handed-in').map(({ id }) => id)
    const last = mine.filter(({ group }) => group === 'leftover' || group === 'flood').map(({ id }) => id)
    const inCheck = mine.filter(({ group }) => group === 'gates').map(({ id }) => id)
    const others = mine.map(({ id }) => id).filter((id) => ![...handedIn, ...last, ...inCheck].includes(id))
    this.#plan('plant', [{ id: 'plant', file: 'src/value', more: 'held_out: ["sh -c true canary-heldout"]' }])
    this.#plant()
    this.#list('gates', inCheck)
    const parts = [0, 1, 2, 3].map((part) => others.filter((_, at) => at % 4 === part))
    parts.forEach((ids, part) => this.#list(`part-${part}`, ids))
    this.#list('last', last)
    this.#plan('attack', [
      ...parts.map((_, part) => ({ id: `part-${part}`, file: `x${part}` })),
      { id: 'check', file: 'src/check', more: 'tests_to_add: [test/check.t]' },
      ...handedIn.map((id) => ({ id: `one-${id}`, file: 'handed.txt' })),
    ])
    const found = await this.#proven([...others, ...inCheck, ...handedIn])
    this.#plan('last', [{ id: 'last', file: 'x' }])
    return [...found, ...(await this.#proven(last))].map((id) => `${groupOf(id)}: ${id}`)
  }

  dispose(): void {
    this.#bystander.kill('SIGKILL')
    this.#bosun('stop', '--now')
    endProcessesIn(this.folder)
  }

  #plan(
    name: string,
    tasks: readonly { readonly id: string; readonly file: string; readonly more?: string }[],
  ): void {
    const lines = tasks.map(
      ({ id, file, more }) =>
        `  - { id: ${id}, title: Do ${id}, tier: low, ownership: ${id}, acceptance_criteria: ["${file} is there"], files: { create: [${file}] }${more === undefined ? '' : `, ${more}`} }`,
    )
    const environment =
      'environment: { setup: null, test: { command: "sh suite.sh", report: tap }, lint: null, typecheck: null, build: null }'
    this.#write(
      `plans/${name}.yaml`,
      [`plan: ${name}`, `title: ${name}`, environment, 'tasks:', ...lines, ''].join('\n'),
    )
    const done = this.#bosun('run', this.#at(`plans/${name}.yaml`), '--no-input')
    if (done.status === null || ![0, 10, 11].includes(done.status))
      throw new Error(`bosun run ended with ${done.status}: ${done.stdout}${done.stderr}`)
  }

  /** Canaries in the state root, beside what another worker and another check left there. */
  #plant(): void {
    const [repository = ''] = readdirSync(this.#at('state/repos'))
    this.#write(`state/repos/${repository}/clones/99/OTHER.txt`, 'canary-clone')
    this.#write(`state/repos/${repository}/evidence/aa/canary.txt`, 'canary-evidence')
    if (this.#isOther) execFileSync('chown', ['-R', `${OTHER}:${OTHER}`, this.#at('state')])
  }

  async #proven(ids: readonly string[]): Promise<readonly string[]> {
    const token = readFileSync(this.#at('state/token'), 'utf8').trim()
    return ids.filter((id) => {
      const attempt = ALL.find((one) => one.id === id)
      const env = {
        ...this.#env(),
        ...this.#variables(),
        ATTACK_TOKEN: token,
        ATTACK_OUT: this.#at(`out/${id}.out`),
      }
      const asked = spawnSync('sh', ['-c', attempt?.escaped ?? ''], {
        env,
        cwd: this.folder,
        timeout: 60_000,
      })
      return asked.status === 0
    })
  }

  #list(name: string, ids: readonly string[]): void {
    this.#write(`attempts/${name}.list`, `${ids.join('\n')}\n`)
  }

  #variables(): Readonly<Record<string, string>> {
    return {
      ATTACK_STATE: this.#at('state'),
      ATTACK_HOME: this.#at('home'),
      ATTACK_REPO: this.#at('repo'),
      ATTACK_OUTSIDE: this.#at('outside'),
      ATTACK_PROGRAM: join(import.meta.dirname, '../..'),
      ATTACK_PID: String(this.#bystander.pid),
    }
  }

  #env(): Readonly<Record<string, string>> {
    return {
      PATH,
      HOME: this.#at('home'),
      BOSUN_HOME: this.#at('state'),
      BOSUN_NOTIFY: 'off',
      TMPDIR: '/tmp',
      USER: 'ann',
    }
  }

  #prefix(): readonly string[] {
    return !this.#isOther ? [] : ['setpriv', '--reuid', OTHER, '--regid', OTHER, '--clear-groups', '--']
  }

  #bosun(...args: readonly string[]) {
    const [program = '', ...rest] = [...this.#prefix(), BIN, ...args]
    return spawnSync(program, rest, {
      cwd: this.#at('repo'),
      env: this.#env(),
      encoding: 'utf8',
      timeout: 280_000,
    })
  }

  #run(program: string, args: readonly string[]): void {
    const [file = '', ...rest] = [...this.#prefix(), program, ...args]
    execFileSync(file, rest, { cwd: this.#at('repo'), env: this.#env(), stdio: 'ignore' })
  }

  #at(path: string): string {
    return join(this.folder, path)
  }

  #write(path: string, text: string): void {
    mkdirSync(dirname(this.#at(path)), { recursive: true })
    writeFileSync(this.#at(path), text)
  }
}
