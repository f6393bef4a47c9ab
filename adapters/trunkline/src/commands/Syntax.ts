/** An option of a command. */
interface Flag {
  /** Placeholder of the value in the help; absent for a flag without one. */
  readonly value?: string
  readonly about: string
}

/** Syntax of a command. */
export interface CommandSyntax {
  readonly about: string
  /** Operand that may be given. */
  readonly operand?: string
  readonly flags: Readonly<Record<string, Flag>>
  /** Text below the flags. */
  readonly more?: string
}

const data: Flag = { value: "folder", about: "the data folder of the server (TRUNKLINE_DATA, default: .trunkline)" }
const config: Flag = {
  value: "file",
  about: "JSON, or a module that exports defineConfig(...) (TRUNKLINE_CONFIG, default: trunkline.config.json)"
}
const database: Flag = { value: "url", about: "PostgreSQL database in place of the SQLite one (TRUNKLINE_DATABASE)" }

/** Syntax of the commands that run, keep and check a server. It needs no library, so the help is printed at once. */
export const operations: Readonly<Record<string, CommandSyntax>> = {
  init: {
    about: "Writes a configuration with comments, an example of its environment, and one agent.",
    operand: "folder",
    flags: {}
  },
  serve: {
    about: "Serves a configuration until it is told to stop.",
    flags: {
      config,
      port: { value: "number", about: "port to listen on, 0 for a free one (PORT, default: 8787)" },
      host: { value: "host", about: "address to listen on (HOST, default: 127.0.0.1)" },
      data: {
        value: "folder",
        about: "databases and files, or :memory: to keep nothing (TRUNKLINE_DATA, default: .trunkline)"
      },
      database,
      files: {
        value: "place",
        about: "a folder, s3://bucket/prefix, or postgres (TRUNKLINE_FILES, default: the data folder)"
      },
      secret: {
        value: "text",
        about: "secret of all servers of the database; better as a variable (TRUNKLINE_SECRET)"
      },
      redis: { value: "url", about: "Redis server for limits and hints of the database's servers (TRUNKLINE_REDIS)" },
      roles: {
        value: "list",
        about: "of api,dial,webhooks,boards,imports; the others are done elsewhere (TRUNKLINE_ROLES)"
      },
      lease: {
        value: "seconds",
        about: "time that a server without an answer keeps its folder (TRUNKLINE_LEASE, default: 30)"
      },
      drain: { value: "seconds", about: "time that calls have to end after SIGTERM (TRUNKLINE_DRAIN, default: 30)" },
      pause: { value: "seconds", about: "time between SIGTERM and the last new call (TRUNKLINE_PAUSE, default: 0)" },
      "metrics-port": { value: "number", about: "port of /metrics, 0 for a free one (TRUNKLINE_METRICS_PORT)" },
      "metrics-host": { value: "host", about: "its address (TRUNKLINE_METRICS_HOST, default: 127.0.0.1)" },
      "metrics-token": {
        value: "text",
        about: "token of /metrics, also on the port of the API; better as a variable (TRUNKLINE_METRICS_TOKEN)"
      },
      log: { value: "form", about: "lines of the log: json, logfmt or pretty (TRUNKLINE_LOG, default: logfmt)" },
      "log-level": {
        value: "level",
        about: "lowest level of these lines: debug, info, warn, error or none (TRUNKLINE_LOG_LEVEL, default: info)"
      },
      console: { value: "mode", about: "the console: on, off or read-only (TRUNKLINE_CONSOLE, default: on)" },
      check: { about: "check the configuration and the settings, and stop" },
      "print-schema": { about: "print the JSON Schema of configuration files" }
    },
    more:
      "Flags come before variables, and variables before the file. Variables are also read from .env beside the file."
  },
  migrate: {
    about: "Brings a PostgreSQL database to the version of this software, before its servers start.",
    flags: { database }
  },
  backup: {
    about: "Copies the data of a server, which may go on meanwhile, to an empty folder.",
    flags: {
      data,
      to: { value: "folder", about: "where the backup is made; it must be empty or absent" },
      files: { value: "place", about: "of uploaded files, where the server has another one (TRUNKLINE_FILES)" }
    }
  },
  restore: {
    about: "Checks a backup, and puts it into an empty data folder.",
    flags: { from: { value: "folder", about: "the backup" }, data }
  },
  retention: {
    about: "Deletes what is older than the configuration keeps it, also while a server runs.",
    flags: { config, data, database, "dry-run": { about: "only count" }, json: { about: "print JSON" } }
  },
  erase: {
    about: "Erases one person, by phone number, from a workspace, and prints a receipt.",
    flags: {
      phone: { value: "number", about: "such as +919876543210" },
      workspace: { value: "organisation/workspace", about: "the workspace" },
      data,
      database,
      json: { about: "print JSON" }
    }
  },
  doctor: {
    about: "Checks versions, space, backlog and clock of a data folder or database, and says what to do.",
    flags: { data, database, json: { about: "print JSON" } }
  }
}

/** Formats two columns. */
const columns = (lines: ReadonlyArray<readonly [left: string, right: string]>): string => {
  const width = Math.max(...lines.map(([left]) => left.length))
  return lines.map(([left, right]) => `  ${left.padEnd(width)}  ${right}`).join("\n")
}

/** Usage of a command. */
export const usageOf = (name: string, { about, flags, more, operand }: CommandSyntax): string =>
  [
    `Usage: trunkline ${name}${operand === undefined ? "" : ` [${operand}]`} [options]`,
    about,
    columns([
      ...Object.entries(flags).map(([flag, { about, value }]) =>
        [value === undefined ? `--${flag}` : `--${flag} <${value}>`, about] as const
      ),
      ["--help", "print this text"]
    ]),
    ...(more === undefined ? [] : [more])
  ].join("\n\n")

/** Lines about the commands. */
export const overview = (): string =>
  columns(Object.entries(operations).map(([name, { about }]) => [name, about] as const))
