import { assert, describe, it } from "vitest"
import { readOptions, UsageError } from "../src/Options.js"

const read = (args: ReadonlyArray<string>, environment: Readonly<Record<string, string>> = {}) =>
  readOptions(args, environment, "/home/asha")

const complaint = (...given: Parameters<typeof read>): string => {
  try {
    return JSON.stringify(read(...given))
  } catch (error) {
    assert.instanceOf(error, UsageError)
    return error instanceof Error ? error.message : ""
  }
}

describe("the command line", () => {
  it("rejects a flag without its value", () => {
    for (const flag of ["--data", "--host", "--bootstrap", "--contacts"]) {
      assert.strictEqual(complaint([flag, ""]), `${flag} needs a value`)
      assert.strictEqual(complaint([`${flag}=`]), `${flag} needs a value`)
    }
  })

  it("ignores empty environment variables", () => {
    assert.deepStrictEqual(read([], { PORT: "", HOST: "", TRUNKLINE_DATA: "", TRUNKLINE_BOOTSTRAP: "" }), read([]))
  })

  it("names the variable beside the flag, since either may be wrong", () => {
    assert.strictEqual(complaint([], { PORT: "http" }), "--port (or PORT) must be a number from 0 to 65535, not http")
    assert.strictEqual(
      complaint([], { TRUNKLINE_LEASE: "0" }),
      "--lease (or TRUNKLINE_LEASE) must be a number of seconds from 1 to 3600, not 0"
    )
  })

  it("resolves a folder of files, and leaves other places of them as they are", () => {
    const filesOf = (place: string) => {
      const options = read(["--files", place])
      return options === "help" ? null : options.files
    }
    assert.deepStrictEqual(["files", "/files", "postgres", "./postgres", "s3://bucket/a?region=b"].map(filesOf), [
      "/home/asha/files",
      "/files",
      "postgres",
      "/home/asha/postgres",
      "s3://bucket/a?region=b"
    ])
    assert.deepStrictEqual(read([], { TRUNKLINE_FILES: "files" }), read(["--files", "files"]))
  })

  it("takes a secret for a database, and never repeats it", () => {
    const [database, secret] = ["postgres://localhost/trunkline", "0123456789abcdef0123456789abcdef"]
    assert.include(read(["--database", database], { TRUNKLINE_SECRET: secret }), { secret })
    assert.strictEqual(complaint([], { TRUNKLINE_SECRET: secret }), "--secret (or TRUNKLINE_SECRET) needs --database")
    const short = complaint(["--database", database, "--secret", "hushhush"])
    assert.strictEqual(short, "--secret (or TRUNKLINE_SECRET) must have at least 32 characters")
  })

  it("takes a Redis server for a database, and never repeats its URL", () => {
    const [database, redis] = ["postgres://localhost/trunkline", "rediss://:hushhush@redis.internal:6379/2"]
    assert.include(read(["--database", database], { TRUNKLINE_REDIS: redis }), { redis })
    assert.strictEqual(complaint(["--redis", redis]), "--redis (or TRUNKLINE_REDIS) needs --database")
    const wrong = complaint(["--database", database, "--redis", "http://:hushhush@localhost"])
    assert.strictEqual(wrong, "--redis (or TRUNKLINE_REDIS) must be a URL that begins with redis:// or rediss://")
  })

  it("takes roles for a database, and has no demo with fewer than all", () => {
    const database = ["--database", "postgres://localhost/trunkline"]
    assert.deepInclude(read([...database, "--roles", "api, boards"]), { roles: ["api", "boards"], demo: false })
    assert.deepInclude(read(database, { TRUNKLINE_ROLES: "dial" }), { roles: ["dial"], demo: false })
    assert.deepInclude(read(["--roles", "api,dial,webhooks,boards,imports"]), { demo: true })
    assert.deepInclude(read([]), { roles: ["api", "dial", "webhooks", "boards", "imports"] })
    const complaintOf = (roles: string, ...others: ReadonlyArray<string>) =>
      complaint([...database, "--roles", roles, ...others])
    const flag = "--roles (or TRUNKLINE_ROLES)"
    const all = "api, dial, webhooks, boards, imports"
    assert.strictEqual(complaintOf("api,web"), `${flag} cannot have "web": there are ${all}`)
    assert.strictEqual(complaintOf("api,dial,api"), `${flag} must name "api" once`)
    assert.strictEqual(complaintOf(","), `${flag} must name one or more of ${all}`)
    assert.strictEqual(complaintOf("api", "--once"), "--once needs the demo, and so all roles")
    assert.strictEqual(
      complaint(["--roles", "api"]),
      `${flag} other than all need --database, which other servers share`
    )
  })

  it("prints its usage for -h and --help", () => {
    assert.deepStrictEqual([read(["-h"]), read(["--help", "--port", "x"])], ["help", "help"])
  })
})
