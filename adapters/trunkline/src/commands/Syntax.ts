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
  /** True when several operands may be given. */
  readonly takesMany?: true
  readonly flags: Readonly<Record<string, Flag>>
  /** Text below the flags. */
  readonly more?: string
}

const data: Flag = { value: "folder", about: "the data folder of the server (TRUNKLINE_DATA, default: .trunkline)" }
const config: Flag = {
  value: "file",
  about: "JSON, or a module that exports defineConfig(...) (TRUNKLINE_CONFIG, default: trunkline.config.json)"
}
const url: Flag = { value: "url", about: "the server (TRUNKLINE_URL, default: http://127.0.0.1:8787)" }
const key: Flag = { value: "key", about: "its API key; better as a variable (TRUNKLINE_KEY)" }
const workspace: Flag = {
  value: "organisation/workspace",
  about: "the workspace (TRUNKLINE_WORKSPACE, default: main/main)"
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
  knowledge: {
    about: "Adds, lists, searches and removes the documents that agents answer from, also while a server runs.",
    operand: "add <file>... | list | search <question> | remove <id>...",
    takesMany: true,
    flags: {
      workspace: { value: "organisation/workspace", about: "the workspace" },
      collection: {
        value: "name",
        about: "collection by which agents find documents (default of add: main; else all)"
      },
      title: { value: "text", about: "title of the file that is added (default: that of the document)" },
      source: {
        value: "text",
        about: "where it comes from; the same source again replaces it (default: the file's name)"
      },
      data,
      database,
      json: { about: "print JSON" }
    }
  },
  agents: {
    about: "Lists, shows and commits the agents of a running server, and checks files of agents.",
    operand: "list | show <agent> | check <file>... | commit <agent>@<version>",
    takesMany: true,
    flags: { url, key, workspace, json: { about: "print JSON" } },
    more: "An agent is named by its id, such as reminder or reminder@3. check needs no server."
  },
  replay: {
    about: "Leads an agent through the trace of a call, or of many, and tells what would change. Nobody is called.",
    operand: "call or file of a trace",
    flags: {
      agent: {
        value: "agent",
        about:
          "id such as reminder or reminder@3, or a JSON file (default: the latest version of the agent of the call)"
      },
      campaign: { value: "id", about: "in place of one call, those of a campaign" },
      of: { value: "agent", about: "in place of one call, those of this agent (default: of all agents)" },
      from: { value: "time", about: "only calls from this moment on, such as 2026-11-30" },
      to: { value: "time", about: "only calls before this moment" },
      model: { about: "ask the model of the configuration where a trace holds no more" },
      yes: { about: "start many replays that ask the model; without it, only their cost is told" },
      results: { value: "file", about: "write each result to this file, and go on where it ends" },
      parallel: { value: "number", about: "replays at a time (default: 8)" },
      check: { about: "exit with 1 when a call changes, stays open or has no trace" },
      trace: { about: "print the trace of the call, to keep it in a file" },
      workspace: { value: "organisation/workspace", about: "the workspace (default: the first of the configuration)" },
      config,
      data,
      database,
      json: { about: "print JSON" }
    }
  },
  "test-from": {
    about: "Writes a test of trunkline/testing from the trace of a call, with invented names and numbers.",
    operand: "call or file of a trace",
    flags: {
      out: { value: "file", about: "where the test is written, such as test/complaint.test.ts (default: printed)" },
      import: { value: "module", about: "module that exports the agent, as the test imports it (default: ./agent.js)" },
      workspace: { value: "organisation/workspace", about: "the workspace (default: the first of the configuration)" },
      config,
      data,
      database
    }
  },
  debug: {
    about:
      "Lets you talk with an agent line by line: say, press, wait, sent, tools, variables, history, back, restart.",
    flags: {
      agent: { value: "agent", about: "id such as reminder or reminder@3, or a JSON file (default: the only agent)" },
      variables: { value: "JSON", about: "variables of the call" },
      tools: { value: "file", about: "JSON object of the answers of tools, by their names (default: none is run)" },
      inbound: { about: "the caller calls" },
      workspace: { value: "organisation/workspace", about: "the workspace (default: the first of the configuration)" },
      config,
      json: { about: "answer each line with one line of JSON" }
    },
    more: "It reads lines from standard input, so that a program can use it too. help lists its commands."
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
  mcp: {
    about: "Serves tools over standard input and output (MCP), with which an assistant operates a running server.",
    flags: {
      url,
      key,
      workspace,
      "read-only": { about: "leave out the tools that pause and resume campaigns" }
    },
    more: "Needs a package: npm i @modelcontextprotocol/server"
  },
  test: {
    about: "Runs the tests of agents in a folder: files such as desk.calls.mjs. Exits with 1 when one fails.",
    operand: "folder",
    flags: {
      filter: { value: "text", about: "only tests whose names have this text" },
      junit: { value: "file", about: "write a report for CI servers, as JUnit's XML" },
      report: { value: "file", about: "write a report as JSON" },
      json: { about: "print JSON in place of the table" },
      update: { about: "accept calls that are not as their golden ones" }
    }
  },
  evaluate: {
    about: "Evaluates versions of an agent over a file of tasks in the form of τ²-bench, and prints a table.",
    flags: {
      tasks: { value: "file", about: "the tasks, as JSON" },
      agents: { value: "module", about: "module that exports evaluation, with agents, model and caller" },
      version: { value: "list", about: "of the versions in it, such as 1,2 (default: all)" },
      runs: { value: "number", about: "runs of each task (default: that of the module, or 1)" },
      json: { about: "print JSON in place of the table" }
    }
  },
  doctor: {
    about:
      "Checks a data folder or database and MCP servers, calls the model, voice and transcriber once each, and says what to do.",
    flags: { config, data, database, json: { about: "print JSON" } }
  }
}
