import { Either } from "effect"
import { parseArgs } from "node:util"
import { assert, describe, it } from "vitest"
import { readSettings, settingFlags } from "../../src/server/ServerSettings.js"

const options = Object.fromEntries(settingFlags.map((name) => [name, { type: "string" as const }]))

const readFrom = (
  args: ReadonlyArray<string>,
  environment: Readonly<Record<string, string>> = {},
  file: Readonly<Record<string, unknown>> = {}
) => readSettings({ flags: parseArgs({ args: [...args], options }).values, environment, file, folder: "/home/asha" })

const read = (...given: Parameters<typeof readFrom>) => Either.getOrThrow(readFrom(...given))

const complaint = (...given: Parameters<typeof readFrom>) =>
  Either.getOrElse(Either.flip(readFrom(...given)), () => []).join("\n")

describe("the settings of a server", () => {
  it("have defaults", () => {
    assert.deepStrictEqual(read([]), {
      port: 8787,
      host: "127.0.0.1",
      data: "/home/asha/.trunkline",
      database: null,
      files: null,
      secret: null,
      redis: null,
      roles: ["api", "dial", "webhooks", "boards", "imports"],
      lease: 30_000,
      drain: 30_000,
      pause: 0,
      metrics: { port: null, host: "127.0.0.1", token: null },
      logFormat: "logfmt",
      logLevel: "info",
      console: { mode: "on", links: [], pages: [] }
    })
  })

  it("choose the form and the level of the log, by flag, variable or file", () => {
    assert.include(read(["--log", "json", "--log-level", "debug"]), { logFormat: "json", logLevel: "debug" })
    const variables = { TRUNKLINE_LOG: "pretty", TRUNKLINE_LOG_LEVEL: "warn" }
    assert.include(read([], variables, { log: "json", log_level: "none" }), { logFormat: "pretty", logLevel: "warn" })
    assert.strictEqual(
      complaint(["--log", "xml"], { TRUNKLINE_LOG_LEVEL: "loud" }),
      "--log (or TRUNKLINE_LOG) must be one of json, logfmt, pretty, not xml\n"
        + "--log-level (or TRUNKLINE_LOG_LEVEL) must be one of debug, info, warn, error, none, not loud"
    )
  })

  it("come from flags before variables, and from variables before the file", () => {
    const file = { port: 1, host: "file", drain_seconds: 10, pause_seconds: 2.5 }
    const found = read(["--port", "3"], { PORT: "2", HOST: "variable", TRUNKLINE_DRAIN: "20" }, file)
    assert.include(found, { port: 3, host: "variable", drain: 20_000, pause: 2_500 })
    assert.include(read([], {}, file), { port: 1, host: "file", drain: 10_000 })
  })

  it("take links and pages of the console from the file, each at an address that browsers open", () => {
    const file = {
      console: "read-only",
      console_links: [{ title: "Roster", href: "https://ops.example.com" }],
      console_pages: [{ title: "Runbook", src: "/runbook" }]
    }
    assert.deepStrictEqual(read([], {}, file).console, {
      mode: "read-only",
      links: file.console_links,
      pages: file.console_pages
    })
    for (const src of ["javascript:alert(1)", "//evil.example", "http://ops.example.com", "runbook"]) {
      assert.strictEqual(
        complaint([], {}, { console_pages: [{ title: "Runbook", src }] }),
        "console_pages: must be an address of https, or a path such as /runbook"
      )
    }
    assert.strictEqual(
      complaint([], {}, { console_links: [{ title: "!", href: "ftp://files.example" }] }),
      "console_links: must have letters or digits\n"
        + "console_links: must be an address of http or https, or a path such as /runbook"
    )
  })

  it("ignore empty environment variables", () => {
    assert.deepStrictEqual(read([], { PORT: "", HOST: "", TRUNKLINE_DATA: "" }), read([]))
  })

  it("name the variable beside the flag, since either may be wrong, and the path in the file", () => {
    assert.strictEqual(complaint([], { PORT: "http" }), "--port (or PORT) must be a number from 0 to 65535, not http")
    assert.strictEqual(
      complaint([], { TRUNKLINE_LEASE: "0" }),
      "--lease (or TRUNKLINE_LEASE) must be a number of seconds from 1 to 3600, not 0"
    )
    assert.strictEqual(complaint([], {}, { port: 70_000 }), "port: must be a number from 0 to 65535")
    const both = complaint(["--port", "x", "--drain", "y"]).split("\n")
    assert.deepStrictEqual(both, [
      "--port (or PORT) must be a number from 0 to 65535, not x",
      "--drain (or TRUNKLINE_DRAIN) must be a number of seconds from 0 to 86400, not y"
    ])
  })

  it("take a port and a token of metrics, and never repeat the token", () => {
    const file = { metrics_port: 9464, metrics_host: "::1", metrics_token_env: "SCRAPE" }
    const token = "0123456789abcdef"
    const { metrics } = read(["--metrics-port", "0"], { SCRAPE: token, TRUNKLINE_METRICS_TOKEN: "no" }, file)
    assert.deepStrictEqual(metrics, { port: 0, host: "::1", token })
    assert.strictEqual(
      complaint(["--metrics-token", "hush hush hush hush"]),
      "--metrics-token (or TRUNKLINE_METRICS_TOKEN) must have at least 16 characters, without spaces"
    )
    assert.strictEqual(
      complaint([], { TRUNKLINE_METRICS_PORT: "8787" }),
      "--metrics-port (or TRUNKLINE_METRICS_PORT) must be another port than --port"
    )
    assert.strictEqual(complaint([], {}, { metrics_port: "x" }), "metrics_port: must be a number from 0 to 65535")
  })

  it("resolve a folder of files, and leave other places of them as they are", () => {
    const filesOf = (place: string) => read(["--files", place]).files
    assert.deepStrictEqual(["files", "/files", "postgres", "./postgres", "s3://bucket/a?region=b"].map(filesOf), [
      "/home/asha/files",
      "/files",
      "postgres",
      "/home/asha/postgres",
      "s3://bucket/a?region=b"
    ])
    assert.deepStrictEqual(read([], { TRUNKLINE_FILES: "files" }), read(["--files", "files"]))
  })

  it("take a secret for a database, and never repeat it", () => {
    const [database, secret] = ["postgres://localhost/trunkline", "0123456789abcdef0123456789abcdef"]
    assert.include(read(["--database", database], { TRUNKLINE_SECRET: secret }), { secret })
    assert.strictEqual(complaint([], { TRUNKLINE_SECRET: secret }), "--secret (or TRUNKLINE_SECRET) needs --database")
    const short = complaint(["--database", database, "--secret", "hushhush"])
    assert.strictEqual(short, "--secret (or TRUNKLINE_SECRET) must have at least 32 characters")
  })

  it("take secrets from variables that the file names", () => {
    const file = { database_env: "DB_URL", secret_env: "DB_SECRET" }
    const environment = { DB_URL: "postgres://localhost/calls", DB_SECRET: "x".repeat(32) }
    assert.include(read([], environment, file), { database: "postgres://localhost/calls", secret: "x".repeat(32) })
    const wrong = complaint([], { DB_URL: "mysql://user:hushhush@localhost" }, file)
    assert.strictEqual(wrong, "--database (or DB_URL) must be a URL that begins with postgres://")
  })

  it("take a Redis server for a database, and never repeat its URL", () => {
    const [database, redis] = ["postgres://localhost/trunkline", "rediss://:hushhush@redis.internal:6379/2"]
    assert.include(read(["--database", database], { TRUNKLINE_REDIS: redis }), { redis })
    assert.strictEqual(complaint(["--redis", redis]), "--redis (or TRUNKLINE_REDIS) needs --database")
    const wrong = complaint(["--database", database, "--redis", "http://:hushhush@localhost"])
    assert.strictEqual(wrong, "--redis (or TRUNKLINE_REDIS) must be a URL that begins with redis:// or rediss://")
  })

  it("take roles for a database", () => {
    const database = ["--database", "postgres://localhost/trunkline"]
    assert.deepStrictEqual(read([...database, "--roles", "api, boards"]).roles, ["api", "boards"])
    const complaintOf = (roles: string) => complaint([...database, "--roles", roles])
    const flag = "--roles (or TRUNKLINE_ROLES)"
    const all = "api, dial, webhooks, boards, imports"
    assert.strictEqual(complaintOf("api,web"), `${flag} cannot have "web": there are ${all}`)
    assert.strictEqual(complaintOf("api,dial,api"), `${flag} must name "api" once`)
    assert.strictEqual(complaintOf(","), `${flag} must name one or more of ${all}`)
    assert.strictEqual(
      complaint(["--roles", "api"]),
      `${flag} other than all need --database, which other servers share`
    )
  })

  it("keep warehouses and secrets in a folder, also with a database", () => {
    assert.strictEqual(
      complaint(["--database", "postgres://localhost/trunkline", "--data", ":memory:"]),
      "--data (or TRUNKLINE_DATA) must be a folder with --database: warehouses and secrets are kept there"
    )
  })
})
