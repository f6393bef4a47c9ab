import { assert, describe, it } from "@effect/vitest"
import { measureProgress } from "../src/request/SlowBody.js"

describe("measureProgress", () => {
  it("allows a pause up to the idle timeout, however much arrived before", () => {
    const { countBytes, patience } = measureProgress({ idleTimeout: 1_000, minimumRate: 10 })
    assert.strictEqual(patience(), 1_000)
    countBytes(1_000_000, 900)
    assert.strictEqual(patience(), 1_000)
  })

  it("uses up the first pause where less than the minimum rate arrives, and stops there", () => {
    const { countBytes, patience } = measureProgress({ idleTimeout: 1_000, minimumRate: 10 })
    countBytes(1, 500)
    assert.strictEqual(patience(), 600)
    countBytes(1, 500)
    assert.strictEqual(patience(), 200)
    countBytes(1, 500)
    assert.strictEqual(patience(), 0)
  })

  it("never ends a body that arrives at the minimum rate", () => {
    const { countBytes, patience } = measureProgress({ idleTimeout: 1_000, minimumRate: 10 })
    for (let second = 0; second < 1_000; second++) countBytes(10, 1_000)
    assert.strictEqual(patience(), 1_000)
  })

  it("does not count the time in which nothing waited for the client", () => {
    const { countBytes, patience } = measureProgress()
    for (let piece = 0; piece < 100; piece++) countBytes(1, 0)
    assert.strictEqual(patience(), 30_000)
  })

  it("says what to do", () => {
    assert.strictEqual(
      measureProgress().tooSlow().message,
      "The body arrived too slowly. Send at least 500 bytes a second, without pauses of 30 seconds."
    )
  })
})
