import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { isInstalled, makeLibraries } from "../src/Libraries.js"

describe("a package", () => {
  it("is found without being loaded, even with an `import` condition only", () => {
    assert.isTrue(isInstalled("mpg123-decoder"))
    assert.isTrue(isInstalled("libopus-wasm"))
    assert.isFalse(isInstalled("@trunkline/no-such-package"))
  })

  it.effect("that is missing makes its codec unavailable, with a message that says what to install", () =>
    Effect.gen(function*() {
      const { canEncode, requireDecoder, requireEncoder } = makeLibraries((name) => !name.startsWith("@"))
      assert.isTrue(canEncode("opus"))
      assert.isFalse(canEncode("flac"))
      yield* requireEncoder("mp3")
      yield* requireDecoder("aac-adts")
      assert.deepInclude(yield* Effect.flip(requireEncoder("aac")), {
        codec: "aac",
        message: "aac needs packages that are not installed: npm i @mediabunny/aac-encoder"
      })
      assert.deepInclude(yield* Effect.flip(requireDecoder("flac")), { _tag: "CodecUnavailable", codec: "flac" })
    }))
})
