import { assert, describe, it } from "@effect/vitest"
import { EntropyNode } from "@trunkline/entropy-node"
import { AesGcm, concatBytes, Hmac } from "@trunkline/kernel"
import { Effect, FastCheck } from "effect"

describe("HMAC-SHA256", () => {
  it.effect.prop(
    "of Node.js is the same as that in plain JavaScript, for keys and data of any length",
    [FastCheck.uint8Array({ maxLength: 200 }), FastCheck.uint8Array({ maxLength: 1_000 })],
    ([key, data]) =>
      Effect.gen(function*() {
        const native = yield* Effect.provide(Hmac, EntropyNode.layerCrypto)
        const plain = yield* Hmac
        assert.notStrictEqual(native, plain)
        assert.deepStrictEqual(native(key, data), plain(key, data))
      })
  )
})

const bytesOf = (length: number) => FastCheck.uint8Array({ minLength: length, maxLength: length })

describe("AES-256-GCM", () => {
  it.effect.prop(
    "of Node.js is the same as that of WebCrypto, for contents of any length, also in shared memory",
    [
      bytesOf(32),
      bytesOf(12),
      FastCheck.uint8Array({ maxLength: 40 }),
      FastCheck.uint8Array({ maxLength: 1_000 }),
      FastCheck.boolean()
    ],
    ([key, iv, additionalData, bytes, isShared]) =>
      Effect.gen(function*() {
        const content = isShared ? new Uint8Array(new SharedArrayBuffer(bytes.length)) : bytes
        content.set(bytes)
        const native = yield* Effect.provide(AesGcm, EntropyNode.layerCrypto)
        const plain = yield* AesGcm
        const [left, right] = yield* Effect.forEach([native, plain], (encryptionOf) =>
          Effect.flatMap(encryptionOf(key), (encrypt) => encrypt({ iv, additionalData, content })))
        assert.deepStrictEqual(concatBytes(left ?? []), concatBytes(right ?? []))
        assert.lengthOf(concatBytes(left ?? []), bytes.length + 16)
      })
  )
})
