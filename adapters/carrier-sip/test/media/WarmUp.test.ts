import { assert, describe, it } from "@effect/vitest"
import { Effect, Fiber } from "effect"
import { Media, MediaUnavailable } from "../../src/index.js"
import { warmUp } from "../../src/media/WarmUp.js"
import { layerSteppedMedia, wait } from "./Sessions.js"

describe("media that warm up", () => {
  it.scopedLive("hear their own sound, and have no call afterwards", () =>
    Effect.gen(function*() {
      const media = yield* Media
      const opened: Array<() => boolean> = []
      const spied: typeof media = {
        ...media,
        open: (options) => Effect.tap(media.open(options), ({ isDeaf }) => Effect.sync(() => opened.push(isDeaf)))
      }
      const warming = yield* Effect.fork(warmUp(spied))
      yield* wait(1_000)
      yield* Fiber.join(warming)
      assert.deepStrictEqual(opened.map((isDeaf) => isDeaf()), [false])
      assert.strictEqual(media.gauges().calls, 0)
    }).pipe(Effect.provide(layerSteppedMedia)))

  it.effect("are left as they are when they cannot carry a call", () =>
    warmUp({
      open: () => new MediaUnavailable({ reason: "no_port", detail: "none" }),
      gauges: () => ({
        calls: 0,
        latenessMillis: 0,
        lastingLatenessMillis: 0,
        lostPackets: 0,
        concealedFrames: 0,
        refusedPackets: 0
      })
    }))
})
