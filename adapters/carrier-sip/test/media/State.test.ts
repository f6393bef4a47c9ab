import { assert, describe, it } from "@effect/vitest"
import { FastCheck } from "effect"
import { makeKeyMerge } from "../../src/media/KeyMerge.js"
import { countLateness, latenessBuckets, latenessQuantile } from "../../src/media/Lateness.js"
import {
  acknowledgeClear,
  claimPlayed,
  clearPlayed,
  generationOf,
  makeSharedCall
} from "../../src/media/shared/SharedCall.js"
import { countSent, makeSharedGauges, readGauges } from "../../src/media/shared/SharedGauges.js"
import { makeRemoteLatch } from "../../src/media/sources/RemoteLatch.js"

describe("a latch", () => {
  const place = { host: "192.0.2.1", port: 4_000 }
  const expecting = (anyHost: boolean) => {
    const latch = makeRemoteLatch()
    latch.expect({ place, anyHost, now: 0 })
    return latch
  }

  it("sends to the place of the session description until a packet comes", () => {
    const latch = makeRemoteLatch()
    assert.isNull(latch.remote)
    assert.isFalse(latch.accepts("192.0.2.1", 4_000, 0))
    latch.expect({ place, anyHost: false, now: 0 })
    assert.deepStrictEqual(latch.remote, place)
  })

  it("follows the first source of the same host, and no other one after that", () => {
    const latch = expecting(false)
    assert.isFalse(latch.accepts("198.51.100.9", 4_000, 10))
    assert.isTrue(latch.accepts("192.0.2.1", 5_555, 20_000))
    assert.deepStrictEqual(latch.remote, { host: "192.0.2.1", port: 5_555 })
    assert.isFalse(latch.accepts("192.0.2.1", 5_556, 20_000))
  })

  it("follows a source of any host when it may, in the first five seconds", () => {
    const latch = expecting(true)
    assert.isFalse(latch.accepts("198.51.100.9", 7_000, 5_001))
    assert.isTrue(latch.accepts("198.51.100.9", 7_000, 5_000))
    assert.isFalse(latch.accepts("203.0.113.5", 7_000, 5_000))
    assert.isTrue(latch.accepts("198.51.100.9", 7_000, 99_000))
  })

  it("returns to the very place of the session description when that sends", () => {
    const latch = expecting(true)
    assert.isTrue(latch.accepts("198.51.100.9", 7_000, 0))
    assert.isTrue(latch.accepts("192.0.2.1", 4_000, 9_000))
    assert.isFalse(latch.accepts("198.51.100.9", 7_000, 9_000))
  })

  it("begins anew with another place only, and reads IPv6 in any spelling", () => {
    const latch = expecting(false)
    latch.accepts("192.0.2.1", 5_555, 0)
    latch.expect({ place, anyHost: false, now: 10 })
    assert.strictEqual(latch.remote?.port, 5_555)
    latch.expect({ place: { host: "2001:DB8:0:0::1", port: 6 }, anyHost: false, now: 10 })
    assert.deepStrictEqual(latch.remote, { host: "2001:db8::1", port: 6 })
    assert.isTrue(latch.accepts("2001:db8::1", 8, 10))
  })
})

describe("keys by two ways", () => {
  const press = (...presses: ReadonlyArray<readonly [string, "rtp" | "info", number]>) => {
    const isNew = makeKeyMerge()
    return presses.map(([digit, way, at]) => isNew(digit, way, at))
  }

  it("count once for each press", () => {
    assert.deepStrictEqual(press(["5", "rtp", 0], ["5", "info", 100], ["5", "info", 300], ["5", "rtp", 310]), [
      true,
      false,
      true,
      false
    ])
  })

  it("count each by itself when they differ, come by one way, or lie far apart", () => {
    assert.deepStrictEqual(press(["5", "rtp", 0], ["5", "rtp", 200], ["6", "info", 210], ["5", "info", 9_000]), [
      true,
      true,
      true,
      true
    ])
  })
})

describe("lateness", () => {
  it("is told as a quantile of its counts", () => {
    const counts = { memory: new Int32Array(latenessBuckets), from: 0 }
    assert.strictEqual(latenessQuantile([counts], 0.99), 0)
    for (let index = 0; index < 98; index++) countLateness(counts, 0.3)
    countLateness(counts, -1)
    countLateness(counts, 1_000)
    assert.strictEqual(latenessQuantile([counts], 0.98), 0.5)
    assert.strictEqual(latenessQuantile([counts], 1), 64)
  })

  it("of all calls is that of the last five seconds", () => {
    const gauges = makeSharedGauges()
    countSent(gauges, 10_500, 20)
    assert.strictEqual(readGauges(gauges, 10_900).latenessMillis, 20.25)
    assert.strictEqual(readGauges(gauges, 14_999).latenessMillis, 20.25)
    assert.strictEqual(readGauges(gauges, 15_000).latenessMillis, 0)
    countSent(gauges, 15_000, 1)
    assert.strictEqual(readGauges(gauges, 15_000).latenessMillis, 1.25)
  })

  it("of all calls lasts when three of the last five seconds were late", () => {
    const gauges = makeSharedGauges()
    const lasting = (now: number) => readGauges(gauges, now).lastingLatenessMillis
    for (let index = 0; index < 100; index++) countSent(gauges, 10_500, 60)
    assert.strictEqual(lasting(10_900), 0)
    countSent(gauges, 11_500, 1)
    countSent(gauges, 12_500, 30)
    assert.strictEqual(lasting(12_900), 1.25)
    countSent(gauges, 13_500, 20)
    assert.strictEqual(lasting(13_900), 20.25)
    assert.strictEqual(lasting(15_000), 1.25)
    assert.strictEqual(lasting(16_000), 0)
  })
})

describe("the memory that two threads share", () => {
  it("agrees on what was played, however their steps interleave", () =>
    FastCheck.assert(FastCheck.property(
      FastCheck.array(FastCheck.constantFrom("tick", "acknowledge", "clear"), { maxLength: 60 }),
      (steps) => {
        const shared = makeSharedCall()
        let position = 0
        let generation = 0
        let played = 0
        let cleared = 0
        let clears = 0
        for (const step of steps) {
          if (step === "clear") cleared += clearPlayed(shared, ++clears)
          if (step === "acknowledge" && acknowledgeClear(shared)) {
            position = 0
            generation = generationOf(shared)
          }
          if (step === "tick" && claimPlayed(shared, position, position + 160)) {
            assert.strictEqual(generation, clears)
            position += 160
            played += 160
          }
        }
        assert.strictEqual(cleared + clearPlayed(shared, ++clears), played)
      }
    )))
})
