import { assert, describe, it } from "@effect/vitest"
import { mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { connectError, SqliteNotBuilt } from "../../src/index.js"
import { connect } from "../../src/storage/Connect.js"

describe("a native module of SQLite", () => {
  it("that was never built is one error that says how to build it", () => {
    const error = connectError(new Error("Could not locate the bindings file. Tried:\n → /a/better_sqlite3.node"))
    assert.instanceOf(error, SqliteNotBuilt)
    assert.include(error.message, "npm rebuild better-sqlite3")
    assert.include(error.message, "pnpm approve-builds")
    assert.notInclude(error.message, "\n")
  })

  it("that this Node.js cannot load is the same error", () => {
    const folder = mkdtempSync(join(tmpdir(), "trunkline-native-"))
    const nativeBinding = join(folder, "foreign.node")
    writeFileSync(nativeBinding, "made for something else")
    try {
      assert.throws(() => connect(":memory:", { nativeBinding }), SqliteNotBuilt)
    } finally {
      rmSync(folder, { recursive: true })
    }
  })

  it("that works leaves other errors as they are", () => {
    assert.throws(() => connect("/dev/null/a.db", {}), "unable to open database file")
  })
})
