import { assert, describe, it } from "@effect/vitest"
import { Processes } from "@trunkline/kernel"
import { Fenced, Ownership, Sql, type SqlValue } from "@trunkline/storage-kysely"
import { SqlPostgres } from "@trunkline/storage-postgres"
import { Cause, Chunk, Context, type Duration, Effect, Exit, Layer } from "effect"
import pg from "pg"
import { emptyDatabase, migratedDatabase, onPostgres } from "../../../test/setup/Postgres.js"

const open = (url: string, lease: Duration.DurationInput = "30 seconds") =>
  Layer.build(SqlPostgres.layer({ url, lease }))

const onDatabase = (url: string, text: string) =>
  Effect.promise(async () => {
    const client = new pg.Client({ connectionString: url })
    await client.connect()
    await client.query(text).finally(() => client.end())
  })

const put = "insert into accounts (account_id, body) values (?, '{}')"

const write = (services: Context.Context<Sql>, ...values: ReadonlyArray<SqlValue>) =>
  Context.get(services, Sql).execute(put, values)

/** The defects of an exit. */
const defectsOf = (exit: Exit.Exit<unknown, unknown>): ReadonlyArray<unknown> =>
  Exit.isFailure(exit) ? Chunk.toReadonlyArray(Cause.defects(exit.cause)) : []

onPostgres(() => {
  describe("a PostgreSQL database", () => {
    it.scopedLive("is opened by two processes at once that migrate it once", () =>
      Effect.gen(function*() {
        const url = yield* emptyDatabase
        const layers = yield* Effect.all(
          [1, 2, 3].map(() => Layer.build(SqlPostgres.layerShared({ url, connections: 2 }))),
          { concurrency: "unbounded" }
        )
        assert.lengthOf(layers, 3)
      }))

    it.scopedLive("numbers the processes that share it, and never uses a number twice", () =>
      Effect.gen(function*() {
        const url = yield* emptyDatabase
        const idOf = (services: Context.Context<Processes>) => Context.get(services, Processes).id
        const [first, second] = [yield* open(url), yield* open(url)]
        const third = idOf(yield* Effect.scoped(open(url)))
        const ids = [idOf(first), idOf(second), third, idOf(yield* open(url))]
        assert.deepStrictEqual(ids, [1, 2, 3, 4])
        const { rows } = yield* Context.get(first, Sql).execute("select process_id from processes order by 1", [])
        assert.deepStrictEqual(rows, [{ process_id: 1 }, { process_id: 2 }, { process_id: 4 }])
      }))

    it.scopedLive("takes nothing more from a process that was silent for a lease", () =>
      Effect.gen(function*() {
        const url = yield* emptyDatabase
        const silent = yield* open(url)
        yield* write(silent, "before")
        // As the others find a process that was stopped.
        yield* onDatabase(url, "update processes set beat_at = 0")
        const living = yield* open(url, "600 millis")
        const { execute } = Context.get(living, Sql)
        const processIds = execute("select process_id from processes", [])
        yield* Effect.repeat(processIds, { until: ({ rows }) => rows.length === 1 })
        const { transaction } = Context.get(silent, Sql)
        for (const attempt of [write(silent, "alone"), transaction(write(silent, "within"))]) {
          const [defect] = defectsOf(yield* Effect.exit(attempt))
          assert.instanceOf(defect, Fenced)
        }
        const { rows } = yield* execute("select account_id from accounts", [])
        assert.deepStrictEqual(rows, [{ account_id: "before" }])
        const { lost } = Context.get(silent, Ownership)
        assert.instanceOf(yield* lost, Fenced)
        assert.isTrue(yield* Context.get(living, Ownership).isSafe)
      }))

    it.scopedLive("is refused when newer software wrote it", () =>
      Effect.gen(function*() {
        const url = yield* migratedDatabase
        yield* onDatabase(url, "insert into schema_version (version) values (999)")
        const error = yield* Effect.flip(open(url))
        assert.strictEqual(error._tag, "DatabaseTooNew")
      }))

    it.scopedLive("is refused when it is read-only", () =>
      Effect.gen(function*() {
        const url = yield* migratedDatabase
        const name = new URL(url).pathname.slice(1)
        yield* onDatabase(url, `alter database ${name} set default_transaction_read_only = on`)
        const error = yield* Effect.flip(open(url))
        assert.strictEqual(error._tag, "DatabaseReadOnly")
      }))

    it.scopedLive("is refused when it does not exist, in a message without the password", () =>
      Effect.gen(function*() {
        const missing = new URL(yield* migratedDatabase)
        missing.pathname = "/trunkline_does_not_exist"
        missing.password = "secret"
        const error = yield* Effect.flip(open(missing.href))
        assert.strictEqual(error._tag, "DatabaseRefused")
        assert.notInclude(error.message, "secret")
        assert.notInclude(error.message, "\n")
      }))

    it.scopedLive("is refused with the next step when the server takes no more connections", () =>
      Effect.gen(function*() {
        const server = yield* migratedDatabase
        const url = new URL(server)
        url.username = `limited_${process.pid}`
        yield* Effect.acquireRelease(
          onDatabase(server, `create role ${url.username} login password 'secret' connection limit 0`),
          () => onDatabase(server, `drop role ${url.username}`)
        )
        url.password = "secret"
        const error = yield* Effect.flip(open(url.href))
        assert.match(
          error.message,
          /refuses the connection: too many connections for role .*; give each process fewer connections, or raise max_conn/
        )
      }))

    it.scopedLive("is refused when the clock of this machine is more than 2 seconds off", () =>
      Effect.gen(function*() {
        const url = yield* migratedDatabase
        const name = new URL(url).pathname.slice(1)
        yield* onDatabase(
          url,
          `
          create function public.clock_timestamp() returns timestamptz language sql
            as 'select pg_catalog.clock_timestamp() + interval ''3 seconds''';
          alter database ${name} set search_path = public, pg_catalog
        `
        )
        const error = yield* Effect.flip(open(url))
        assert.strictEqual(error._tag, "DatabaseClockOff")
        assert.match(error.message, /^the clock of this machine is [23]\.\d s behind that of the database .+ \(NTP\)$/)
      }))

    it.scopedLive("is for one process while its time is accelerated", () =>
      Effect.gen(function*() {
        const url = yield* migratedDatabase
        const other = yield* Effect.acquireRelease(
          Effect.promise(async () => {
            const client = new pg.Client({ connectionString: url })
            await client.connect()
            return client
          }),
          (client) => Effect.promise(() => client.end())
        )
        const as = (text: string) => Effect.promise(() => other.query(`select ${text}(7492, hashtext('speed'))`))
        const openAt = (speed: number) => Effect.scoped(Layer.build(SqlPostgres.layer({ url, speed })))
        yield* openAt(60)
        // As a process at real time holds it, and then as one at accelerated time.
        yield* as("pg_advisory_lock_shared")
        yield* openAt(1)
        const error = yield* Effect.flip(openAt(60))
        assert.strictEqual(error._tag, "DatabaseTimeShared")
        assert.include(error.message, "set speed to 1")
        yield* as("pg_advisory_unlock_shared")
        yield* as("pg_advisory_lock")
        assert.include((yield* Effect.flip(openAt(1))).message, "a process with accelerated time")
      }))

    it.scopedLive("goes on after the server has ended its connections", () =>
      Effect.gen(function*() {
        const url = yield* migratedDatabase
        const services = yield* Layer.build(SqlPostgres.layerShared({ url, connections: 2 }))
        yield* write(services, "before")
        yield* onDatabase(
          url,
          "select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()"
        )
        yield* Effect.retry(Effect.sandbox(write(services, "after")), { times: 3 })
        const { rows } = yield* Context.get(services, Sql).execute("select account_id from accounts order by 1", [])
        assert.deepStrictEqual(rows, [{ account_id: "after" }, { account_id: "before" }])
      }))
  })
})
