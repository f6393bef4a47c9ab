import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { makeLame } from "../src/encode/Lame.js"
import { makeMp3Streams } from "../src/Mp3Streams.js"
import { turnsDuring } from "./Turns.js"
import { voiceOf } from "./Voice.js"

const format = { rate: 24_000, bitrate: "64k" } as const

describe("streams of MP3", () => {
  it.live("use the encoders of those before, and as many as there are at a time", () =>
    Effect.gen(function*() {
      let made = 0
      const { encoder } = makeMp3Streams(() => {
        made += 1
        return makeLame()
      })
      const stream = Effect.scoped(Effect.flatMap(encoder(format), ({ push }) => push(voiceOf(24_000, 0.1).samples)))
      yield* stream
      yield* stream
      assert.strictEqual(made, 1)
      yield* Effect.scoped(Effect.all(Array.from({ length: 12 }, () => encoder(format))))
      assert.strictEqual(made, 12)
      yield* Effect.scoped(Effect.all(Array.from({ length: 12 }, () => encoder(format))))
      assert.strictEqual(made, 16)
    }))

  it.live("let others have their turn while a long sound is pushed", () =>
    Effect.scoped(Effect.gen(function*() {
      const { push } = yield* makeMp3Streams().encoder(format)
      const { samples } = voiceOf(24_000, 20)
      assert.isAtLeast(yield* turnsDuring(push(samples)), 20)
    })))
})
