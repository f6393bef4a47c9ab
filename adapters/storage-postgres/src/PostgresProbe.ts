import { Effect, type Scope } from "effect"
import pg from "pg"
import { DatabaseClockOff, DatabasePooled, describeUrl, type OpenError, openErrorOf } from "./PostgresErrors.js"

/** Most milliseconds between the clocks of this machine and of the database. */
const maxClockSkew = 2_000

/** Time to wait for a connection and for an answer, in milliseconds. */
const answerMillis = 10_000

/** Moments around an answer by the clock of this machine, and the one in it by that of the database, in milliseconds. */
interface Moments {
  readonly before: number
  readonly database: number
  readonly after: number
}

/**
 * Milliseconds by which the clock of this machine is ahead of the database's; negative when it is behind. The answer took
 * some time, so that it is the least that the moments allow.
 */
export const clockAhead = ({ after, before, database }: Moments): number =>
  before > database ? before - database : Math.min(0, after - database)

interface Answer {
  readonly pid: number
  readonly now: number
}

const question = "select pg_backend_pid() as pid, extract(epoch from clock_timestamp())::float8 * 1000 as now"

/** A connection, which asks the server who answers, and when. */
const connect = (
  url: string,
  applicationName: string
): Effect.Effect<(begin?: "begin") => Effect.Effect<Answer, OpenError>, OpenError, Scope.Scope> => {
  const attempt = <A>(run: () => Promise<A>) =>
    Effect.tryPromise({ try: run, catch: (error) => openErrorOf(url, error) })
  return Effect.gen(function*() {
    const client = yield* Effect.acquireRelease(
      Effect.sync(() =>
        new pg.Client({
          connectionString: url,
          application_name: `${applicationName} probe`,
          connectionTimeoutMillis: answerMillis,
          query_timeout: answerMillis
        }).on("error", () => {})
      ),
      (client) => Effect.promise(() => client.end().catch(() => undefined))
    )
    yield* attempt(() => client.connect())
    return (begin) =>
      attempt(async () => {
        if (begin !== undefined) await client.query(begin)
        const { rows: [answer = { pid: 0, now: 0 }] } = await client.query<Answer>(question)
        return answer
      })
  })
}

/**
 * Fails when the database cannot be reached, when a pooler gives the connection of one client to another one, or when the
 * clocks are more than 2 seconds apart. It asks over two connections at a time, which it closes.
 */
export const probe = (url: string, applicationName: string): Effect.Effect<void, OpenError> =>
  Effect.scoped(Effect.gen(function*() {
    const database = describeUrl(url)
    const ask = yield* connect(url, applicationName)
    const before = Date.now()
    const first = yield* ask()
    const ahead = clockAhead({ before, database: first.now, after: Date.now() })
    if (Math.abs(ahead) > maxClockSkew) return yield* new DatabaseClockOff({ database, ahead })
    // While the first connection stays open, no other one may be served by its server process, nor it by another one.
    const other = yield* (yield* connect(url, applicationName))("begin")
    if (other.pid === first.pid || (yield* ask()).pid !== first.pid) return yield* new DatabasePooled({ database })
  }))
