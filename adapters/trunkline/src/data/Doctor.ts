import { reasonOf } from "@trunkline/kernel"
import { SqlSqlite } from "@trunkline/sqlite"
import { migrations, migrationsOf, postgresSql, schemaVersion, Sql } from "@trunkline/storage-kysely"
import { SqlPostgres } from "@trunkline/storage-postgres"
import { Effect, Either, type Layer } from "effect"
import { existsSync, statSync } from "node:fs"
import { statfs } from "node:fs/promises"
import { createServer } from "node:net"
import { join } from "node:path"
import { inDatabaseThread } from "./DatabaseThread.js"

/** Result of one check. */
export interface Finding {
  readonly name: string
  readonly ok: boolean
  readonly detail: string
  /** Next step; null where there is nothing to do. */
  readonly advice: string | null
}

/** Makes a finding; it is fine without advice. */
export const finding = (name: string, detail: string, advice: string | null = null): Finding => ({
  name,
  ok: advice === null,
  detail,
  advice
})

const mebibytes = (bytes: number) => `${Math.floor(bytes / 1_048_576)} MiB`

/** Least space that should be free, and the size of the log of a database from which on something holds it open. */
const leastFree = 1_073_741_824
const maxLogBytes = 268_435_456

const nodeFinding = (): Finding => {
  const [major = 0, minor = 0] = process.versions.node.split(".").map(Number)
  const isFine = major > 20 || (major === 20 && minor >= 11)
  return finding("node", process.version, isFine ? null : "update to Node.js 20.11 or later")
}

const spaceFinding = async (folder: string): Promise<Finding> => {
  const { bavail, bsize } = await statfs(folder)
  const free = bavail * bsize
  return finding(
    "space",
    `${mebibytes(free)} free`,
    free >= leastFree ? null : "free space, or shorten retention: the server stops calling when the disk is full"
  )
}

const sizeOf = (file: string): number => statSync(file, { throwIfNoEntry: false })?.size ?? 0

const fileFindings = (data: string): ReadonlyArray<Finding> => {
  const log = sizeOf(join(data, "trunkline.db-wal"))
  const mode = statSync(data).mode & 0o077
  return [
    finding("database", mebibytes(sizeOf(join(data, "trunkline.db")))),
    finding("log", mebibytes(log), log < maxLogBytes ? null : "end the tool that reads the database for so long"),
    finding("access", "mode of the folder", process.platform === "win32" || mode === 0 ? null : `chmod 700 ${data}`)
  ]
}

const portFinding = (port: number): Promise<Finding> =>
  new Promise((resolve) => {
    const server = createServer()
    server.once("error", () => resolve(finding("port", `${port} is in use, as it is while a server runs`)))
    server.listen(port, "127.0.0.1", () => {
      server.close(() => resolve(finding("port", `${port} is free`)))
    })
  })

/** Age from which due work counts as a backlog, in milliseconds. */
const backlogMillis = 300_000

/** Figures about work. */
const backlogs = {
  webhooks: "select count(*) as total, min(due_at) as oldest from outbox where state = 'pending'",
  contacts: "select count(*) as total, min(due_at) as oldest from ready",
  attempts:
    "select count(*) as total, min(attempted_at) as oldest from attempts where state <> 'ended' and attempted_at > 0"
}

const workFindings = Effect.gen(function*() {
  const { execute } = yield* Sql
  const [mark] =
    (yield* execute<{ value: number }>("select value from engine_state where key = 'business_time'", [])).rows
  const now = Date.now()
  const findings: Array<Finding> = []
  const ahead = (mark?.value ?? 0) - now
  // Accelerated time leaves data ahead as well, and only the configuration knows of it: so this is told, and not judged.
  findings.push(finding(
    "clock",
    ahead > 60_000
      ? `the data is ${Math.round(ahead / 1_000)} s ahead of this clock: set it, unless the network is simulated`
      : "agrees with the data"
  ))
  for (const [name, text] of Object.entries(backlogs)) {
    const [row] = (yield* execute<{ total: number; oldest: number | null }>(text, [])).rows
    const late = Math.max(0, now - Number(row?.oldest ?? now))
    const isLate = Number(row?.total ?? 0) > 0 && late > backlogMillis
    findings.push(finding(
      name,
      `${row?.total ?? 0} open${isLate ? `, the oldest due for ${Math.round(late / 60_000)} minutes` : ""}`,
      isLate
        ? `see that a server with the role ${name === "webhooks" ? "webhooks" : "dial"} runs, and read its log`
        : null
    ))
  }
  return findings
})

const inSql = async (layer: Layer.Layer<Sql, Error>): Promise<ReadonlyArray<Finding>> => {
  const work = await Effect.runPromise(Effect.either(Effect.provide(workFindings, layer)))
  return Either.isRight(work)
    ? work.right
    : [finding("work", reasonOf(work.left), "put that right first, then ask again")]
}

const onSqlite = async (data: string): Promise<ReadonlyArray<Finding>> => {
  const file = join(data, "trunkline.db")
  if (!existsSync(file)) {
    return [finding("database", `none in ${data}`, "name the data folder with --data, or start the server once")]
  }
  const version = Number(await inDatabaseThread({ task: "version", file }))
  const damage = await inDatabaseThread({ task: "check", file })
  const latest = migrations.length
  const advice = version > latest
    ? "update the software"
    : version < latest
    ? "start the server once with this version of the software"
    : null
  return [
    finding("schema", `version ${version}, where ${latest} is needed`, advice),
    finding("integrity", String(damage), damage === "ok" ? null : "stop the server, and restore the last backup"),
    await spaceFinding(data),
    ...fileFindings(data),
    ...(advice === null ? await inSql(SqlSqlite.layerShared({ file })) : [])
  ]
}

/** Version of the tables, without a migration. */
const onPostgres = async (url: string): Promise<ReadonlyArray<Finding>> => {
  const beside = SqlPostgres.layerBeside({ url, fence: 0, connections: 1, applicationName: "trunkline doctor" })
  const version = await Effect.runPromise(Effect.either(Effect.provide(
    Effect.flatMap(Sql, ({ query }) => query((db) => schemaVersion(db, postgresSql))),
    beside
  )))
  if (Either.isLeft(version)) return [finding("database", version.left.message, "put that right first")]
  const latest = migrationsOf(postgresSql).length
  const advice = version.right > latest
    ? "update the software"
    : version.right < latest
    ? "start one server with this version of the software"
    : null
  return [
    finding("schema", `version ${version.right}, where ${latest} is needed`, advice),
    ...(advice === null ? await inSql(beside) : [])
  ]
}

/** Checks the data of a server, and says what to do. It changes nothing, and may run beside the server. */
export const diagnose = async ({ data, database, port }: {
  readonly data: string
  /** URL of a PostgreSQL database; null for the SQLite one of the folder. */
  readonly database: string | null
  readonly port: number
}): Promise<ReadonlyArray<Finding>> => [
  nodeFinding(),
  ...(database === null ? await onSqlite(data) : await onPostgres(database)),
  await portFinding(port)
]
