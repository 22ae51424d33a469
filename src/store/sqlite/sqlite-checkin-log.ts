/** Check-ins as rows beside the event log, in the transactions of its appends. */
import type { DatabaseSync, SQLOutputValue } from 'node:sqlite'
import type { Instant } from '../../core/state/state.ts'
import type { Claim } from '../../core/watch/observed.ts'
import type { CheckinLog, KeptCheckin, KeptClaim, NumberedCheckin } from '../../ports/checkin-log.ts'
import { checkInstants, checkPage } from '../checked-append.ts'
import type { GroupCommit } from './group-commit.ts'

export class SqliteCheckinLog implements CheckinLog {
  readonly #commits: GroupCommit | null
  readonly #statements: ReturnType<typeof prepare>

  /** Without `commits` the log is read-only. */
  constructor(db: DatabaseSync, commits: GroupCommit | null) {
    this.#commits = commits
    this.#statements = prepare(db)
  }

  async append(checkin: KeptCheckin, claim: Claim): Promise<'kept' | 'known'> {
    const { stream, worker, at, heardAt, file, body } = checkin
    checkInstants(checkin)
    // Serialised outside the transaction: what cannot be JSON fails its own caller only.
    const claimed = JSON.stringify(claim)
    return this.#write(() => {
      const { changes } = this.#statements.insert.run(stream, worker, at, heardAt, file, body)
      if (changes === 0) return 'known'
      this.#statements.claim.run(stream, worker, claim.at, claimed)
      return 'kept'
    })
  }

  async remember({ stream, worker }: Pick<KeptClaim, 'stream' | 'worker'>, claim: Claim): Promise<void> {
    const claimed = JSON.stringify(claim)
    await this.#write(() => {
      this.#statements.claim.run(stream, worker, claim.at, claimed)
    })
  }

  async tail(afterSeq: number, limit: number): Promise<readonly NumberedCheckin[]> {
    checkPage(afterSeq, limit)
    return this.#statements.tail.all(afterSeq, limit).map(checkinOf)
  }

  async claims(): Promise<readonly KeptClaim[]> {
    return this.#statements.claims.all().map((row) => ({
      stream: String(row['stream']),
      worker: String(row['worker']),
      claim: JSON.parse(String(row['claim'])) as unknown,
    }))
  }

  async prune(before: Instant, limit: number): Promise<number> {
    checkPage(0, limit)
    return this.#write(() => {
      const { changes } = this.#statements.prune.run(limit, before)
      this.#statements.pruneClaims.run(before, limit)
      return Number(changes)
    })
  }

  #write<T>(job: () => T): Promise<T> {
    if (this.#commits === null) throw new Error('the check-in log is open for reading only')
    return this.#commits.run(job)
  }
}

function prepare(db: DatabaseSync) {
  return {
    insert: db.prepare(
      `insert into checkins (stream, worker, at, heard_at, file, said) values (?, ?, ?, ?, ?, ?)
       on conflict (stream, file) where file is not null do nothing`,
    ),
    claim: db.prepare(
      `insert into claims (stream, worker, at, claim) values (?, ?, ?, ?)
       on conflict (stream, worker) do update set at = excluded.at, claim = excluded.claim`,
    ),
    tail: db.prepare(
      'select seq, stream, worker, at, heard_at, file, said from checkins where seq > ? order by seq limit ?',
    ),
    claims: db.prepare('select stream, worker, claim from claims order by stream, worker'),
    // Rows are in the order of receipt: the oldest come first, without an index.
    prune: db.prepare(
      `delete from checkins
       where seq in (select seq from (select seq, heard_at from checkins order by seq limit ?) where heard_at < ?)`,
    ),
    pruneClaims: db.prepare(
      'delete from claims where (stream, worker) in (select stream, worker from claims where at < ? limit ?)',
    ),
  }
}

function checkinOf(row: Record<string, SQLOutputValue>): NumberedCheckin {
  return {
    seq: Number(row['seq']),
    stream: String(row['stream']),
    worker: String(row['worker']),
    at: Number(row['at']),
    heardAt: Number(row['heard_at']),
    file: row['file'] === null ? null : String(row['file']),
    body: String(row['said']),
  }
}
