import { assert, describe, it } from "@effect/vitest"
import { EntropyNode } from "@trunkline/entropy-node"
import { Hmac } from "@trunkline/kernel"
import { Effect, FastCheck } from "effect"

describe("HMAC-SHA256", () => {
  it.effect.prop(
    "of Node.js is the same as that in plain JavaScript, for keys and data of any length",
    [FastCheck.uint8Array({ maxLength: 200 }), FastCheck.uint8Array({ maxLength: 1_000 })],
    ([key, data]) =>
      Effect.gen(function*() {
        const native = yield* Effect.provide(Hmac, EntropyNode.layerHmac)
        const plain = yield* Hmac
        assert.notStrictEqual(native, plain)
        assert.deepStrictEqual(native(key, data), plain(key, data))
      })
  )
})
