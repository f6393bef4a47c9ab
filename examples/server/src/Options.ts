import { hasAllRoles } from "@trunkline/engine/roles"
import { Either } from "effect"
import { resolve } from "node:path"
import { fileURLToPath } from "node:url"
import { parseArgs } from "node:util"
import { readSettings, type ServerSettings, settingFlags } from "trunkline/server"

/** Options of `npm start`: those of `trunkline serve`, and those of the demo. */
export interface Options {
  readonly settings: ServerSettings
  readonly bootstrap: string
  readonly contacts: string
  readonly transformation: string
  readonly demo: boolean
  readonly once: boolean
  /** Business seconds per real second once the demo has ended, at most; infinite for those of the configuration. */
  readonly speed: number
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
  --drain SECONDS       time that calls have to end once the server was told to stop
                                                              (TRUNKLINE_DRAIN, default 30)
  --pause SECONDS       time between that and the last new call (TRUNKLINE_PAUSE, default 0)
  --metrics-port N      port of /metrics, 0 for a free one    (TRUNKLINE_METRICS_PORT, default: none)
  --metrics-host HOST   its address                           (TRUNKLINE_METRICS_HOST, default 127.0.0.1)
  --metrics-token TEXT  token of /metrics, also on the port of the API; better as a variable
                                                              (TRUNKLINE_METRICS_TOKEN, default: none)
  --log FORM            lines of the log: json, logfmt or pretty (TRUNKLINE_LOG, default logfmt)
  --log-level LEVEL     debug, info, warn, error or none      (TRUNKLINE_LOG_LEVEL, default info)
  --console MODE        on, off or read-only                  (TRUNKLINE_CONSOLE, default on)
  --bootstrap FILE      configuration: accounts, keys, agents, phone lines
                                                              (TRUNKLINE_BOOTSTRAP, default: the demo's)
  --contacts FILE       CSV of the people that the demo calls
  --transformation FILE JSON that maps the CSV's columns
  --speed N             business seconds per real second once the demo has ended, at most
                        those of the configuration; at 1 calls can be watched as they are
                        spoken                                (default 1, with --bootstrap those
                                                              of its file)
  --no-demo             serve only
  --once                run the demo campaign, print the summary and stop
  --help                this text`

const bundled = (name: string) => fileURLToPath(new URL(`../assets/${name}`, import.meta.url))

/** Reads the command line; throws `UsageError` when it makes no sense. */
export const readOptions = (
  args: ReadonlyArray<string>,
  environment: Readonly<Record<string, string | undefined>>,
  folder: string
): Options | "help" => {
  const flags = parse(args)
  if (flags["help"] === true) return "help"
  const isOnce = flags["once"] === true
  if (isOnce && flags["no-demo"] === true) throw new UsageError("--once needs the demo: leave out --no-demo")
  const read = readSettings({ flags, environment, file: {}, folder })
  if (Either.isLeft(read)) throw new UsageError(read.left.join("\n"))
  const settings = read.right
  const hasAll = hasAllRoles(settings.roles)
  if (isOnce && !hasAll) throw new UsageError("--once needs the demo, and so all roles")
  const bootstrap = flags["bootstrap"] ?? (environment["TRUNKLINE_BOOTSTRAP"] || undefined)
  const file = (given: string | boolean | undefined, otherwise: string) =>
    typeof given === "string" ? resolve(folder, given) : bundled(otherwise)
  return {
    settings,
    bootstrap: file(bootstrap, "bootstrap.json"),
    contacts: file(flags["contacts"], "contacts.csv"),
    transformation: file(flags["transformation"], "transformation.json"),
    demo: flags["no-demo"] !== true && hasAll,
    once: isOnce,
    speed: flags["speed"] === undefined && bootstrap !== undefined ? Infinity : speedIn(flags["speed"] ?? "1")
  }
}

/** A speed in the command line. */
const speedIn = (value: string | boolean): number => {
  const speed = Number(value)
  if (!(speed > 0 && Number.isFinite(speed))) throw new UsageError("--speed must be a number above 0")
  return speed
}

const text = { type: "string" } as const
const flag = { type: "boolean" } as const

const parse = (args: ReadonlyArray<string>): Readonly<Record<string, string | boolean | undefined>> => {
  try {
    const { values } = parseArgs({
      args: [...args],
      options: {
        ...Object.fromEntries(
          [...settingFlags, "bootstrap", "contacts", "speed", "transformation"].map((name) => [name, text])
        ),
        "no-demo": flag,
        once: flag,
        help: { ...flag, short: "h" }
      }
    })
    const flags: Readonly<Record<string, string | boolean | undefined>> = values
    const empty = Object.entries(flags).find(([, value]) => value === "")
    if (empty !== undefined) throw new UsageError(`--${empty[0]} needs a value`)
    return flags
  } catch (error) {
    throw new UsageError(error instanceof Error ? error.message : String(error))
  }
}
