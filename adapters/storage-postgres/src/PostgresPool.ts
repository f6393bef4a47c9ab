import { StoreUnavailable } from "@trunkline/kernel"
import { type Database, dialectOn, measureWait } from "@trunkline/storage-kysely"
import { Effect, type Scope } from "effect"
import { Kysely, PostgresAdapter, PostgresIntrospector, PostgresQueryCompiler } from "kysely"
import pg from "pg"
import { PostgresConnection } from "./PostgresConnection.js"
import { DatabaseReadOnly, describeUrl, isConnectionLoss, type OpenError, openErrorOf } from "./PostgresErrors.js"

/** Numbers of 8 bytes and sums of them, which are small enough for a number. */
const numberTypes = [pg.types.builtins.INT8, pg.types.builtins.NUMERIC]

const types: pg.CustomTypesConfig = {
  getTypeParser: (type, format) =>
    numberTypes.includes(type) && format !== "binary" ? Number : pg.types.getTypeParser(type, format)
}

/**
 * Settings of each connection, as statements, since poolers refuse or drop them among its options. Every query of the stores reads from an index, so that plans which look good for a table
 * that was small when they were made are excluded: prepared statements keep their plans while tables grow.
 */
const settings = [
  "statement_timeout='30s'",
  "lock_timeout='10s'",
  "idle_in_transaction_session_timeout='15s'",
  "enable_seqscan=off",
  "enable_hashjoin=off",
  "enable_mergejoin=off",
  "jit=off",
  "timezone=UTC"
].map((setting) => `set ${setting}`).join("; ")

/** Time to wait for a new connection, in milliseconds. */
const connectMillis = 10_000

/** Time after which a connection without an answer is given up: later than the server gives a statement up. */
const answerMillis = 35_000

/** A connection with the queries that run on it. */
export interface PostgresSession {
  readonly connection: PostgresConnection
  readonly db: Kysely<Database>
}

/** Connections to a database, opened when they are needed. */
export interface PostgresPool {
  /** Uses a connection of its own, after those who wait for one already; dies with `StoreUnavailable` when none can be opened. */
  readonly use: <A, E, R>(run: (session: PostgresSession) => Effect.Effect<A, E, R>) => Effect.Effect<A, E, R>
  /** Number of effects that wait for a connection. */
  readonly waiting: () => number
}

/** Options of `makePool`. */
export interface PoolOptions {
  readonly url: string
  readonly connections: number
  readonly applicationName: string
  /** Statement that each connection runs first. */
  readonly first?: string
}

const makeSession = (client: pg.ClientBase): PostgresSession => {
  // The pool listens to idle connections only; the loss of one in use fails its statements too.
  client.on("error", () => {})
  const connection = new PostgresConnection(client)
  const dialect = dialectOn(connection, {
    createDriver: () => {
      throw new Error("The connection is open")
    },
    createAdapter: () => new PostgresAdapter(),
    createQueryCompiler: () => new PostgresQueryCompiler(),
    createIntrospector: (db) => new PostgresIntrospector(db)
  })
  return { connection, db: new Kysely<Database>({ dialect }) }
}

const probe = `
  select pg_is_in_recovery() or current_setting('transaction_read_only')::boolean as read_only
`

/** Checks that the database answers and can be written to. */
const check = (pool: pg.Pool, url: string): Effect.Effect<void, OpenError> =>
  Effect.flatMap(
    Effect.tryPromise({
      try: () => pool.query<{ readonly read_only: boolean }>(probe),
      catch: (error) => openErrorOf(url, error)
    }),
    ({ rows: [row] }) => row?.read_only === true ? new DatabaseReadOnly({ database: describeUrl(url) }) : Effect.void
  )

/** Opens a pool of connections, which closes with the scope; fails when the database cannot be reached or written to. */
export const makePool = (
  { applicationName, connections, first, url }: PoolOptions
): Effect.Effect<PostgresPool, OpenError, Scope.Scope> =>
  Effect.gen(function*() {
    const sessions = new WeakMap<pg.ClientBase, PostgresSession>()
    const pool = yield* Effect.acquireRelease(
      Effect.sync(() =>
        new pg.Pool({
          connectionString: url,
          max: connections,
          pipeline: true,
          application_name: applicationName,
          connectionTimeoutMillis: connectMillis,
          query_timeout: answerMillis,
          keepAlive: true,
          types
        })
      ),
      (pool) => Effect.promise(() => pool.end())
    )
    // A connection that the server ends while it is idle is replaced; one in use fails with its statement.
    pool.on("error", () => {})
    yield* check(pool, url)
    const permits = yield* Effect.makeSemaphore(connections)
    const clock = yield* Effect.clock
    let waiting = 0
    let used = 0

    const connect = async () => {
      const client = await pool.connect()
      const existing = sessions.get(client)
      if (existing !== undefined) return { client, session: existing }
      const session = makeSession(client)
      try {
        await session.connection.control(first === undefined ? settings : `${settings}; ${first}`)
      } catch (error) {
        client.release(true)
        throw error
      }
      sessions.set(client, session)
      return { client, session }
    }

    const open = Effect.promise(() =>
      connect().catch((error: unknown) => {
        throw isConnectionLoss(error) ? new StoreUnavailable() : error
      })
    )

    const use: PostgresPool["use"] = (run) =>
      Effect.acquireUseRelease(
        open,
        ({ session }) => run(session),
        ({ client, session: { connection } }) => Effect.sync(() => client.release(connection.isBroken))
      )

    return {
      use: <A, E, R>(run: (session: PostgresSession) => Effect.Effect<A, E, R>) =>
        Effect.suspend(() => {
          let isWaiting = used >= connections
          if (isWaiting) waiting += 1
          const settle = Effect.sync(() => {
            if (isWaiting) waiting -= 1
            isWaiting = false
          })
          const useSlot = Effect.acquireUseRelease(
            Effect.sync(() => used += 1),
            () => use(run),
            () => Effect.sync(() => used -= 1)
          )
          const work = measureWait(clock, permits.withPermits(1)<A, E, R>, Effect.zipRight(settle, useSlot))
          return Effect.ensuring(work, settle)
        }),
      waiting: () => waiting
    }
  })
