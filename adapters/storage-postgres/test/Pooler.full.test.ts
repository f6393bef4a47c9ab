import { assert, describe, it } from "@effect/vitest"
import { Sql } from "@trunkline/storage-kysely"
import { SqlPostgres } from "@trunkline/storage-postgres"
import { Context, Effect, Layer } from "effect"
import { spawn } from "node:child_process"
import { chmodSync, existsSync, mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { createServer } from "node:net"
import { tmpdir } from "node:os"
import { join } from "node:path"
import pg from "pg"
import { migratedDatabase, onPostgres } from "../../../test/setup/Postgres.js"

const program = ["/usr/sbin/pgbouncer", "/usr/bin/pgbouncer", "/opt/homebrew/bin/pgbouncer"].find(existsSync)

const freePort = Effect.async<number>((resume) => {
  const server = createServer().listen(0, "127.0.0.1", () => {
    const address = server.address()
    server.close(() => resume(Effect.succeed(typeof address === "object" && address !== null ? address.port : 0)))
  })
})

const answers = async (url: string): Promise<boolean> => {
  const client = new pg.Client({ connectionString: url })
  try {
    await client.connect()
    return true
  } catch {
    return false
  } finally {
    await client.end().catch(() => undefined)
  }
}

/** The URL of a database behind PgBouncer, which ends with the scope. */
const pooled = (mode: "session" | "transaction") =>
  Effect.gen(function*() {
    const url = new URL(yield* migratedDatabase)
    const port = yield* freePort
    const folder = yield* Effect.acquireRelease(
      Effect.sync(() => mkdtempSync(join(tmpdir(), "trunkline-pgbouncer-"))),
      (path) => Effect.sync(() => rmSync(path, { recursive: true }))
    )
    chmodSync(folder, 0o755)
    const [name, user] = [url.pathname.slice(1), url.username]
    const password = url.password === "" ? "" : ` password=${decodeURIComponent(url.password)}`
    const file = join(folder, "pgbouncer.ini")
    const settings = [
      "[databases]",
      `${name} = host=${url.hostname} port=${url.port || 5432} user=${user}${password}`,
      "[pgbouncer]",
      "listen_addr = 127.0.0.1",
      `listen_port = ${port}`,
      "unix_socket_dir =",
      "auth_type = any",
      `pool_mode = ${mode}`
    ]
    writeFileSync(file, settings.join("\n"))
    const child = yield* Effect.acquireRelease(
      // It refuses to run as root.
      Effect.sync(() =>
        spawn(program ?? "", [file], { stdio: "ignore", ...(process.getuid?.() === 0 && { uid: 65_534 }) })
      ),
      (child) => Effect.sync(() => void child.kill("SIGKILL"))
    )
    url.port = String(port)
    url.hostname = "127.0.0.1"
    while (!(yield* Effect.promise(() => answers(url.href)))) {
      if (child.exitCode !== null) return yield* Effect.dieMessage("PgBouncer did not start")
      yield* Effect.sleep("50 millis")
    }
    return url.href
  })

onPostgres(() => {
  describe.runIf(program !== undefined)("a database behind PgBouncer, skipped where that is not installed", () => {
    it.scopedLive("is refused in transaction mode", () =>
      Effect.gen(function*() {
        const url = yield* pooled("transaction")
        const error = yield* Effect.flip(Layer.build(SqlPostgres.layer({ url })))
        assert.strictEqual(error._tag, "DatabasePooled")
        assert.match(error.message, /^the database .+ is behind a pooler in transaction mode: give the URL of .+$/)
      }))

    it.scopedLive("is used in session mode, with the settings of its connections", () =>
      Effect.gen(function*() {
        const url = yield* pooled("session")
        const sql = Context.get(yield* Layer.build(SqlPostgres.layer({ url, connections: 2 })), Sql)
        const { rows } = yield* sql.execute("select current_setting('enable_seqscan') as setting", [])
        assert.deepStrictEqual(rows, [{ setting: "off" }])
      }))
  })
})
