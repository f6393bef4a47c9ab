import { hasAllRoles, readRoles, type Role, roleNames } from "@trunkline/engine/roles"
import { resolve } from "node:path"
import { fileURLToPath } from "node:url"
import { parseArgs } from "node:util"

/** Options of `npm start`: flags first, then environment variables, then defaults. */
export interface Options {
  readonly port: number
  readonly host: string
  /** A folder, or `:memory:`. */
  readonly data: string
  /** URL of a PostgreSQL database in place of the SQLite one of the folder; null for that one. */
  readonly database: string | null
  /** A folder, the URL of a bucket of S3, or `postgres`; null for the default. */
  readonly files: string | null
  /** Secret of all servers of the database; null for the keys of the folder. */
  readonly secret: string | null
  /** URL of a Redis server for request limits and hints; null for the database. */
  readonly redis: string | null
  /** Parts of the work of the database that this server does. */
  readonly roles: ReadonlyArray<Role>
  /** Time after which the folder of an unresponsive process can be taken over, in milliseconds. */
  readonly lease: number
  readonly bootstrap: string
  readonly contacts: string
  readonly transformation: string
  readonly demo: boolean
  readonly once: boolean
}

/** An error in the command line; the message says how to correct it. */
export class UsageError extends Error {}

export const usage = `Usage: npm start -- [options]

  --port N              port to listen on, 0 for a free one   (PORT, default 8787)
  --host HOST           address to listen on                  (HOST, default 127.0.0.1)
  --data FOLDER         folder of databases and files, or :memory: to keep nothing
                                                              (TRUNKLINE_DATA, default .trunkline)
  --database URL        PostgreSQL database (postgres://user:password@host/name) in place of
                        the SQLite one of the folder, which many servers may share
                                                              (TRUNKLINE_DATABASE)
  --files PLACE         where uploaded files and recordings are kept: a folder,
                        s3://bucket/prefix?endpoint=https://host&region=NAME (credentials
                        in AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY), or postgres for
                        the database                          (TRUNKLINE_FILES, default: postgres
                                                              with --database, else the data folder)
  --secret TEXT         secret of all servers of the database, at least 32 random characters
                        (openssl rand -hex 32); others can see it in the list of processes,
                        so that the variable is better        (TRUNKLINE_SECRET, default: the folder's keys)
  --redis URL           Redis server (redis://user:password@host:6379/0) for the request limits of
                        all servers of the database, and for what they tell each other
                                                              (TRUNKLINE_REDIS, default: the database)
  --roles LIST          parts of the work of the database to do: one or more of
                        api,dial,webhooks,boards,imports. Others do the rest; the demo runs
                        only with all                         (TRUNKLINE_ROLES, default: all)
  --lease SECONDS       for how long a server that does not answer keeps its folder; a
                        second one waits as long, and takes over. A dial has half of it,
                        so that fewer than 30 are for tests   (TRUNKLINE_LEASE, default 30)
  --bootstrap FILE      JSON with accounts, keys, agents, phone lines
                                                              (TRUNKLINE_BOOTSTRAP, default: the demo's)
  --contacts FILE       CSV of the people that the demo calls
  --transformation FILE JSON that maps the CSV's columns
  --no-demo             serve only
  --once                run the demo campaign, print the summary and stop
  --help                this text`

const bundled = (name: string) => fileURLToPath(new URL(`../assets/${name}`, import.meta.url))

/** Reads the command line; throws `UsageError` when it makes no sense. */
export const readOptions = (
  args: ReadonlyArray<string>,
  environment: Readonly<Record<string, string | undefined>>,
  workingFolder: string
): Options | "help" => {
  const flags = parse(args)
  const variable = (name: string) => environment[name] || undefined
  if (flags.help === true) return "help"
  if (flags.once === true && flags["no-demo"] === true) {
    throw new UsageError("--once needs the demo: leave out --no-demo")
  }
  const path = (given: string) => resolve(workingFolder, given)
  const database = flags.database ?? variable("TRUNKLINE_DATABASE")
  const data = flags.data ?? variable("TRUNKLINE_DATA") ?? ".trunkline"
  const bootstrap = flags.bootstrap ?? variable("TRUNKLINE_BOOTSTRAP")
  const roles = rolesOf(flags.roles ?? variable("TRUNKLINE_ROLES"), database)
  if (flags.once === true && !hasAllRoles(roles)) throw new UsageError("--once needs the demo, and so all roles")
  return {
    port: portOf(flags.port ?? variable("PORT") ?? "8787"),
    host: flags.host ?? variable("HOST") ?? "127.0.0.1",
    data: data === ":memory:" ? data : path(data),
    database: databaseOf(database, data),
    files: filesOf(flags.files ?? variable("TRUNKLINE_FILES"), path),
    secret: secretOf(flags.secret ?? variable("TRUNKLINE_SECRET"), database),
    redis: redisOf(flags.redis ?? variable("TRUNKLINE_REDIS"), database),
    roles,
    lease: leaseOf(flags.lease ?? variable("TRUNKLINE_LEASE") ?? "30"),
    bootstrap: bootstrap === undefined ? bundled("bootstrap.json") : path(bootstrap),
    contacts: flags.contacts === undefined ? bundled("contacts.csv") : path(flags.contacts),
    transformation: flags.transformation === undefined ? bundled("transformation.json") : path(flags.transformation),
    demo: flags["no-demo"] !== true && hasAllRoles(roles),
    once: flags.once === true
  }
}

const text = { type: "string" } as const
const flag = { type: "boolean" } as const

const parse = (args: ReadonlyArray<string>) => {
  try {
    const { values } = parseArgs({
      args: [...args],
      options: {
        port: text,
        host: text,
        data: text,
        database: text,
        files: text,
        secret: text,
        redis: text,
        roles: text,
        lease: text,
        bootstrap: text,
        contacts: text,
        transformation: text,
        "no-demo": flag,
        once: flag,
        help: { ...flag, short: "h" }
      }
    })
    const empty = Object.entries(values).find(([, value]) => value === "")
    if (empty !== undefined) throw new UsageError(`--${empty[0]} needs a value`)
    return values
  } catch (error) {
    throw new UsageError(error instanceof Error ? error.message : String(error))
  }
}

const portOf = (given: string): number => {
  const port = Number(given)
  if (/^\d{1,5}$/.test(given) && port <= 65_535) return port
  throw new UsageError(`--port (or PORT) must be a number from 0 to 65535, not ${given}`)
}

const databaseOf = (given: string | undefined, data: string): string | null => {
  if (given === undefined) return null
  if (!/^postgres(ql)?:\/\/./.test(given)) {
    throw new UsageError("--database (or TRUNKLINE_DATABASE) must be a URL that begins with postgres://")
  }
  if (data === ":memory:") {
    throw new UsageError("--data: Must be a folder with --database: warehouses and secrets are kept there")
  }
  return given
}

const filesOf = (given: string | undefined, path: (folder: string) => string): string | null => {
  if (given === undefined) return null
  // Of one letter is a drive of Windows.
  return given === "postgres" || /^[a-z][a-z0-9+.-]+:/i.test(given) ? given : path(given)
}

/** Never repeats the secret. */
const secretOf = (given: string | undefined, database: string | undefined): string | null => {
  if (given === undefined) return null
  if (database === undefined) throw new UsageError("--secret (or TRUNKLINE_SECRET) needs --database")
  if (given.length < 32) throw new UsageError("--secret (or TRUNKLINE_SECRET) must have at least 32 characters")
  return given
}

/** Never repeats the URL, which may hold a password. */
const redisOf = (given: string | undefined, database: string | undefined): string | null => {
  if (given === undefined) return null
  if (!/^rediss?:\/\/./.test(given) || !URL.canParse(given)) {
    throw new UsageError("--redis (or TRUNKLINE_REDIS) must be a URL that begins with redis:// or rediss://")
  }
  if (database === undefined) throw new UsageError("--redis (or TRUNKLINE_REDIS) needs --database")
  return given
}

const rolesOf = (given: string | undefined, database: string | undefined): ReadonlyArray<Role> => {
  if (given === undefined) return roleNames
  const names = given.split(",").map((name) => name.trim()).filter((name) => name !== "")
  const read = readRoles(names)
  if (typeof read === "string") throw new UsageError(`--roles (or TRUNKLINE_ROLES) ${read}`)
  if (database === undefined && !hasAllRoles(read)) {
    throw new UsageError("--roles (or TRUNKLINE_ROLES) other than all need --database, which other servers share")
  }
  return read
}

const leaseOf = (given: string): number => {
  const seconds = Number(given)
  if (seconds >= 1 && seconds <= 3_600) return seconds * 1_000
  throw new UsageError(`--lease (or TRUNKLINE_LEASE) must be a number of seconds from 1 to 3600, not ${given}`)
}
