import { assert, describe, it } from "@effect/vitest"
import { clockAhead } from "../src/PostgresProbe.js"

describe("the clock of this machine", () => {
  it("is as far ahead as the moments around the answer prove", () => {
    assert.strictEqual(clockAhead({ before: 1_000, database: 1_000, after: 1_000 }), 0)
    assert.strictEqual(clockAhead({ before: 5_000, database: 1_000, after: 5_010 }), 4_000)
    assert.strictEqual(clockAhead({ before: 1_000, database: 5_000, after: 1_010 }), -3_990)
  })

  it("is right wherever in a slow answer the database has looked", () => {
    for (const database of [1_000, 5_000, 9_000]) {
      assert.strictEqual(clockAhead({ before: 1_000, database, after: 9_000 }), 0)
    }
  })
})
