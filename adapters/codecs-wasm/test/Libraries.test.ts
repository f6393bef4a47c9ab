import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { isInstalled, makeLibraries } from "../src/Libraries.js"

describe("a library", () => {
  it("is found without being loaded, also one that is for `import` only", () => {
    assert.isTrue(isInstalled("mpg123-decoder"))
    assert.isTrue(isInstalled("libopus-wasm"))
    assert.isFalse(isInstalled("@trunkline/no-such-package"))
  })

  it.effect("that is missing makes its codec unavailable, and says what to install", () =>
    Effect.gen(function*() {
      const { canWrite, toRead, toWrite } = makeLibraries((name) => !name.startsWith("@"))
      assert.isTrue(canWrite("opus"))
      assert.isFalse(canWrite("flac"))
      yield* toWrite("mp3")
      yield* toRead("aac-adts")
      assert.deepInclude(yield* Effect.flip(toWrite("aac")), {
        codec: "aac",
        message:
          "@mediabunny/aac-encoder is not installed, which @trunkline/codecs-wasm brings along: run npm install again"
      })
      assert.deepInclude(yield* Effect.flip(toRead("flac")), { _tag: "CodecUnavailable", codec: "flac" })
    }))
})
