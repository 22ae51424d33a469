/** The repositories, as rows beside the log. */
import { createHash } from 'node:crypto'
import { realpath } from 'node:fs/promises'
import { basename } from 'node:path'
import type { DatabaseSync, SQLOutputValue } from 'node:sqlite'
import type { Instant } from '../../ports/event-log.ts'
import type { Repositories, Repository } from '../../ports/repositories.ts'
import type { GroupCommit } from './group-commit.ts'

const COLUMNS = 'id, path, name, registered_at'
const MAX_NAME_LENGTH = 60

/** The id of the repository at a real path. */
export function repositoryId(realPath: string): { readonly id: string; readonly name: string } {
  const name = basename(realPath) || 'root'
  const slug =
    name
      .replaceAll(/[^A-Za-z0-9._-]+/g, '-')
      .replace(/^[-.]+/, '')
      .slice(0, MAX_NAME_LENGTH) || 'repository'
  return { id: `${slug}-${createHash('sha256').update(realPath).digest('hex').slice(0, 8)}`, name }
}

export class SqliteRepositories implements Repositories {
  readonly #commits: GroupCommit | null
  readonly #statements: ReturnType<typeof prepare>

  /** Without `commits` nothing can be registered: the connection only reads. */
  constructor(db: DatabaseSync, commits: GroupCommit | null) {
    this.#commits = commits
    this.#statements = prepare(db)
  }

  async register(path: string, at: Instant): Promise<Repository> {
    const real = await realpath(path)
    const { id, name } = repositoryId(real)
    const known = await this.find(id)
    if (known === null) await this.restore({ id, path: real, name, registeredAt: at })
    const registered = known ?? (await this.find(id))
    if (registered?.path !== real) throw new Error(`${real} and ${registered?.path} have the same id ${id}`)
    return registered
  }

  async restore({ id, path, name, registeredAt }: Repository): Promise<void> {
    if (this.#commits === null) throw new Error('this store is open for reading only')
    await this.#commits.run(() => this.#statements.insert.run(id, path, name, registeredAt))
  }

  async find(id: string): Promise<Repository | null> {
    const row = this.#statements.find.get(id)
    return row === undefined ? null : repositoryOf(row)
  }

  async list(): Promise<readonly Repository[]> {
    return this.#statements.list.all().map(repositoryOf)
  }
}

function prepare(db: DatabaseSync) {
  return {
    insert: db.prepare(
      `insert into repositories (${COLUMNS}) values (?, ?, ?, ?) on conflict (id) do nothing`,
    ),
    find: db.prepare(`select ${COLUMNS} from repositories where id = ?`),
    list: db.prepare(`select ${COLUMNS} from repositories order by registered_at, id`),
  }
}

function repositoryOf(row: Record<string, SQLOutputValue>): Repository {
  return {
    id: String(row['id']),
    path: String(row['path']),
    name: String(row['name']),
    registeredAt: Number(row['registered_at']),
  }
}
