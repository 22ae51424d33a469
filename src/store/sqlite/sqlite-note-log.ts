/** Notes as rows beside the event log, in the transactions of its appends. */
import type { DatabaseSync, SQLOutputValue } from 'node:sqlite'
import type { Instant } from '../../core/state/state.ts'
import type { Claim } from '../../core/watch/observed.ts'
import type { CheckinKept, KeptClaim, Note, NoteFilter, NoteLog, NumberedNote } from '../../ports/note-log.ts'
import { checkInstant, checkPage } from '../checked-append.ts'
import type { GroupCommit } from './group-commit.ts'

export class SqliteNoteLog implements NoteLog {
  readonly #commits: GroupCommit | null
  readonly #statements: ReturnType<typeof prepare>

  /** Without `commits` the log is read-only. */
  constructor(db: DatabaseSync, commits: GroupCommit | null) {
    this.#commits = commits
    this.#statements = prepare(db)
  }

  async append(note: Note): Promise<void> {
    checkInstant(note.at)
    await this.#write(() => this.#insert(note, null))
  }

  async appendCheckin(
    note: Note & { readonly worker: string },
    { stream, file, claim }: CheckinKept,
  ): Promise<'kept' | 'known'> {
    checkInstant(note.at)
    // Serialised outside the transaction: what cannot be JSON fails its own caller only.
    const claimed = JSON.stringify(claim)
    return this.#write(() => {
      if (this.#insert(note, file) === 0) return 'known'
      this.#statements.claim.run(stream, note.worker, claim.at, claimed)
      return 'kept'
    })
  }

  async remember({ stream, worker }: Pick<KeptClaim, 'stream' | 'worker'>, claim: Claim): Promise<void> {
    const claimed = JSON.stringify(claim)
    await this.#write(() => {
      this.#statements.claim.run(stream, worker, claim.at, claimed)
    })
  }

  async tail(afterSeq: number, limit: number): Promise<readonly NumberedNote[]> {
    checkPage(afterSeq, limit)
    return this.#statements.tail.all(afterSeq, limit).map(noteOf)
  }

  async back(
    beforeSeq: number,
    limit: number,
    { repositories, plan, worker, event }: NoteFilter,
  ): Promise<readonly NumberedNote[]> {
    checkPage(beforeSeq, limit)
    const asked = { repositories: JSON.stringify(repositories), plan, worker, event }
    return this.#statements.back.all({ before: beforeSeq, limit, ...asked }).map(noteOf)
  }

  async claims(): Promise<readonly KeptClaim[]> {
    return this.#statements.claims.all().map((row) => ({
      stream: String(row['stream']),
      worker: String(row['worker']),
      claim: JSON.parse(String(row['claim'])) as unknown,
    }))
  }

  async prune(
    { notes, claimsSince }: { readonly notes: number; readonly claimsSince: Instant },
    limit: number,
  ): Promise<number> {
    checkPage(notes, limit)
    return this.#write(() => {
      const { changes } = this.#statements.prune.run(notes, limit)
      this.#statements.pruneClaims.run(claimsSince, limit)
      return Number(changes)
    })
  }

  #insert({ repository, at, event, plan, worker, task, data }: Note, file: string | null): number {
    const { changes } = this.#statements.insert.run(repository, at, event, plan, worker, task, data, file)
    return Number(changes)
  }

  #write<T>(job: () => T): Promise<T> {
    if (this.#commits === null) throw new Error('the notes are open for reading only')
    return this.#commits.run(job)
  }
}

const COLUMNS = 'seq, repository, at, event, plan, worker, task, data'

function prepare(db: DatabaseSync) {
  return {
    insert: db.prepare(
      `insert into notes (repository, at, event, plan, worker, task, data, file) values (?, ?, ?, ?, ?, ?, ?, ?)
       on conflict (repository, plan, file) where file is not null do nothing`,
    ),
    claim: db.prepare(
      `insert into claims (stream, worker, at, claim) values (?, ?, ?, ?)
       on conflict (stream, worker) do update set at = excluded.at, claim = excluded.claim`,
    ),
    tail: db.prepare(`select ${COLUMNS} from notes where seq > ? order by seq limit ?`),
    back: db.prepare(
      `select ${COLUMNS} from notes where seq < :before
       and repository in (select value from json_each(:repositories)) and (:plan is null or plan = :plan)
       and (:worker is null or worker = :worker) and (:event is null or event = :event)
       order by seq desc limit :limit`,
    ),
    claims: db.prepare('select stream, worker, claim from claims order by stream, worker'),
    prune: db.prepare(
      `delete from notes where seq in
       (select seq from notes where seq <= (select max(seq) from notes) - ? order by seq limit ?)`,
    ),
    pruneClaims: db.prepare(
      'delete from claims where (stream, worker) in (select stream, worker from claims where at < ? limit ?)',
    ),
  }
}

function noteOf(row: Record<string, SQLOutputValue>): NumberedNote {
  const text = (key: string): string | null => (row[key] === null ? null : String(row[key]))
  return {
    seq: Number(row['seq']),
    repository: String(row['repository']),
    at: Number(row['at']),
    event: String(row['event']),
    plan: text('plan'),
    worker: text('worker'),
    task: text('task'),
    data: String(row['data']),
  }
}
