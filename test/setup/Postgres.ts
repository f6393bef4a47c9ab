import { migrate, Sql } from "@trunkline/storage-kysely"
import { SqlPostgres } from "@trunkline/storage-postgres"
import { Effect, type Scope } from "effect"
import { type ChildProcess, execFileSync, spawn } from "node:child_process"
import { randomBytes } from "node:crypto"
import { once } from "node:events"
import { chownSync, existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs"
import { createServer } from "node:net"
import { tmpdir } from "node:os"
import { join } from "node:path"
import pg from "pg"
import { afterAll, describe } from "vitest"

/** A server that already answers: the one that is configured, or that of a development machine. */
const candidates = [process.env.TRUNKLINE_TEST_POSTGRES, "postgres://postgres@127.0.0.1:5432/test"]

const answers = async (url: string): Promise<boolean> => {
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: 2_000 })
  try {
    await client.connect()
    await client.query("select 1")
    return true
  } catch {
    return false
  } finally {
    await client.end().catch(() => undefined)
  }
}

/** The folder of the server's programs, where it is installed. */
const findBinaries = (): string | undefined => {
  const versions = "/usr/lib/postgresql"
  const installed = existsSync(versions) ? readdirSync(versions).map((version) => join(versions, version, "bin")) : []
  return [...installed, ...(process.env.PATH ?? "").split(":")].find((folder) => existsSync(join(folder, "initdb")))
}

/** The user to run the server as: it refuses to run as root. */
const serverUser = () => {
  if (process.getuid?.() !== 0) return {}
  const [, , uid, gid] = readFileSync("/etc/passwd", "utf8").split("\n").map((line) => line.split(":"))
    .find(([name]) => name === "postgres") ?? []
  return { uid: Number(uid), gid: Number(gid) }
}

const freePort = () =>
  new Promise<number>((resolve) => {
    const server = createServer().listen(0, "127.0.0.1", () => {
      const address = server.address()
      server.close(() => resolve(typeof address === "object" && address !== null ? address.port : 0))
    })
  })

interface OwnServer {
  readonly url: string
  readonly child: ChildProcess
  readonly folder: string
}

const startServer = async (binaries: string): Promise<OwnServer> => {
  const folder = mkdtempSync(join(tmpdir(), "trunkline-postgres-"))
  const user = serverUser()
  if (user.uid !== undefined && user.gid !== undefined) chownSync(folder, user.uid, user.gid)
  const data = join(folder, "data")
  execFileSync(join(binaries, "initdb"), ["-D", data, "-A", "trust", "-U", "postgres", "-E", "UTF8"], {
    ...user,
    cwd: folder,
    stdio: "ignore"
  })
  const port = await freePort()
  const url = `postgres://postgres@127.0.0.1:${port}/postgres`
  return { url, folder, child: await runServer(binaries, folder, url) }
}

const runServer = async (binaries: string, folder: string, url: string): Promise<ChildProcess> => {
  const { port } = new URL(url)
  const options = ["-D", join(folder, "data"), "-k", folder, "-p", port]
  const settings = ["-c", "listen_addresses=127.0.0.1", "-c", "fsync=off"]
  const child = spawn(join(binaries, "postgres"), [...options, ...settings], {
    ...serverUser(),
    cwd: folder,
    stdio: "ignore"
  })
  while (!(await answers(url))) {
    if (child.exitCode !== null) throw new Error("The PostgreSQL server for the tests did not start")
  }
  return child
}

const findServer = async () => {
  for (const url of candidates) {
    if (url !== undefined && await answers(url)) return { url, own: null }
  }
  const binaries = findBinaries()
  if (binaries === undefined) return null
  const own = await startServer(binaries)
  return { url: own.url, own }
}

const server = await findServer()

/** Runs a statement on the server: in a database, or by default outside of those of the tests. */
export const onServer = async <Row extends pg.QueryResultRow>(
  text: string,
  url = server?.url
): Promise<ReadonlyArray<Row>> => {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    return (await client.query<Row>(text)).rows
  } finally {
    await client.end()
  }
}

/** The URL of a database of the server. */
const urlOf = (name: string): string => {
  const url = new URL(server?.url ?? "")
  url.pathname = `/${name}`
  return url.href
}

/** Names are of this run, so that runs at the same time do not meet. */
const nameOf = (purpose: string): string => `trunkline_${purpose}_${randomBytes(6).toString("hex")}`

const drop = (name: string) => onServer(`drop database if exists ${name} with (force)`)

const template = nameOf("template")

const makeTemplate = async () => {
  await onServer(`create database ${template}`)
  const live = SqlPostgres.layerShared({ url: urlOf(template), connections: 1 })
  await Effect.runPromise(Effect.provide(Effect.flatMap(Sql, () => migrate()), live))
}

/** A server of a test's own. */
export interface PrivateServer {
  /** URL of its database. */
  readonly url: string
  /** Stops it at once, without a checkpoint, as in a crash. */
  readonly crash: Effect.Effect<void>
  /** Starts it again. */
  readonly start: Effect.Effect<void>
}

/** True where a server can be started, since its programs are installed. */
export const canStartServers = findBinaries() !== undefined

/** A server that a test may stop, which ends with the scope. */
export const privateServer: Effect.Effect<PrivateServer, never, Scope.Scope> = Effect.gen(function*() {
  const binaries = findBinaries() ?? ""
  const { child, folder, url } = yield* Effect.promise(() => startServer(binaries))
  let running = child
  const crash = Effect.promise(async () => {
    if (running.exitCode !== null) return
    const exit = once(running, "exit")
    running.kill("SIGQUIT")
    await exit
  })
  const start = Effect.promise(async () => {
    running = await runServer(binaries, folder, url)
  })
  yield* Effect.addFinalizer(() =>
    Effect.zipRight(crash, Effect.sync(() => rmSync(folder, { recursive: true, force: true })))
  )
  return { url, crash, start }
})

let templateMade: Promise<void> | null = null

const database = (create: (name: string) => Promise<unknown>) =>
  Effect.map(
    Effect.acquireRelease(
      Effect.promise(async () => {
        const name = nameOf("test")
        await create(name)
        // No test pulls the plug of the server, so that commits need not wait for its disk.
        await onServer(`alter database ${name} set synchronous_commit = off`)
        return name
      }),
      (name) => Effect.promise(() => drop(name))
    ),
    urlOf
  )

/** URL of a database with the tables of the stores, which is dropped with the scope. */
export const migratedDatabase: Effect.Effect<string, never, Scope.Scope> = database(async (name) => {
  await (templateMade ??= makeTemplate())
  await onServer(`create database ${name} template ${template}`)
})

/** URL of a database without tables, which is dropped with the scope. */
export const emptyDatabase: Effect.Effect<string, never, Scope.Scope> = database((name) =>
  onServer(`create database ${name}`)
)

/** Runs the tests of a file that need PostgreSQL; where there is none, they are skipped. */
export const onPostgres = (tests: () => void): void => {
  describe.skipIf(server === null)("on a PostgreSQL server, such as TRUNKLINE_TEST_POSTGRES names", () => {
    afterAll(async () => {
      const made = templateMade
      templateMade = null
      if (made !== null) await drop(template)
    })
    tests()
  })
}

const own = server?.own ?? null
if (own !== null) {
  process.once("exit", () => {
    own.child.kill("SIGQUIT")
    rmSync(own.folder, { recursive: true, force: true })
  })
}
