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
    assert.deepStrictEqual(read([], { PORT: "", TRUNKLINE_BOOTSTRAP: "" }), read([]))
  })

  it("has no demo with fewer than all roles", () => {
    const database = ["--database", "postgres://localhost/trunkline"]
    assert.deepInclude(read([...database, "--roles", "api, boards"]), { demo: false })
    assert.deepInclude(read(["--roles", "api,dial,webhooks,boards,imports"]), { demo: true })
    assert.strictEqual(complaint([...database, "--roles", "api", "--once"]), "--once needs the demo, and so all roles")
  })

  it("slows the time of its own demo only: a configuration keeps the speed that it has", () => {
    assert.deepInclude(read([]), { speed: 1 })
    assert.deepInclude(read(["--speed", "60"]), { speed: 60 })
    assert.deepInclude(read(["--bootstrap", "own.json"]), { speed: Infinity })
    assert.deepInclude(read([], { TRUNKLINE_BOOTSTRAP: "own.json" }), { speed: Infinity })
    assert.deepInclude(read(["--bootstrap", "own.json", "--speed", "2"]), { speed: 2 })
    assert.strictEqual(complaint(["--speed", "0"]), "--speed must be a number above 0")
  })

  it("prints its usage for -h and --help", () => {
    assert.deepStrictEqual([read(["-h"]), read(["--help", "--port", "x"])], ["help", "help"])
  })
})
