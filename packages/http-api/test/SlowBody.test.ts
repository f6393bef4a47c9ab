import { assert, describe, it } from "@effect/vitest"
import { measureProgress } from "../src/request/SlowBody.js"

describe("measureProgress", () => {
  it("allows a pause up to the idle timeout, however much arrived before", () => {
    const { arrived, patience } = measureProgress({ idleTimeout: 1_000, minimumRate: 10 })
    assert.strictEqual(patience(), 1_000)
    arrived(1_000_000, 900)
    assert.strictEqual(patience(), 1_000)
  })

  it("uses up the first pause where less than the minimum rate arrives, and stops there", () => {
    const { arrived, patience } = measureProgress({ idleTimeout: 1_000, minimumRate: 10 })
    arrived(1, 500)
    assert.strictEqual(patience(), 600)
    arrived(1, 500)
    assert.strictEqual(patience(), 200)
    arrived(1, 500)
    assert.strictEqual(patience(), 0)
  })

  it("never ends a body that arrives at the minimum rate", () => {
    const { arrived, patience } = measureProgress({ idleTimeout: 1_000, minimumRate: 10 })
    for (let second = 0; second < 1_000; second++) arrived(10, 1_000)
    assert.strictEqual(patience(), 1_000)
  })

  it("does not count the time in which nothing waited for the client", () => {
    const { arrived, patience } = measureProgress()
    for (let piece = 0; piece < 100; piece++) arrived(1, 0)
    assert.strictEqual(patience(), 30_000)
  })

  it("says what to do", () => {
    assert.strictEqual(
      measureProgress().tooSlow().message,
      "The body arrived too slowly. Send at least 500 bytes a second, without pauses of 30 seconds."
    )
  })
})
