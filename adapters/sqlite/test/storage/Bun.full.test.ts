import { assert, describe, it } from "@effect/vitest"
import { spawnSync } from "node:child_process"
import { fileURLToPath } from "node:url"
import { bun, bunRuns } from "../../../../test/setup/Bun.js"

describe("a native module of SQLite", () => {
  it.runIf(bunRuns)("cannot be loaded by Bun, which is the same error and says what to use", () => {
    const program = `import { connect } from ${
      JSON.stringify(fileURLToPath(new URL("../../src/storage/Connect.ts", import.meta.url)))
    }
      try { connect(":memory:", {}) } catch ({ _tag, message }) { console.log(_tag, message) }`
    const { stdout } = spawnSync(bun, ["--conditions=@trunkline/source", "-e", program], { encoding: "utf8" })
    assert.match(stdout, /^SqliteNotBuilt Bun cannot load better-sqlite3.* Run this program with Node/)
  })
})
