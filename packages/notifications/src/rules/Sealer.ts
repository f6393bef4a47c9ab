import { BusinessTime, hmacSha256 } from "@trunkline/kernel"
import { Entropy } from "@trunkline/rate-limits"
import { Context, Effect, Encoding, Layer, type Option, Redacted } from "effect"

/** Version prefix of sealed texts. */
const prefix = "v1."
const purpose = "trunkline/notifications/sealer/v1"
const ivBytes = 12
const algorithm = "AES-GCM"

/** Encrypts secrets before they are stored. */
export class Sealer extends Context.Tag("@trunkline/notifications/Sealer")<Sealer, {
  /** Encrypts a text; the result differs every time. */
  readonly seal: (text: string) => Effect.Effect<string>
  /** Decrypts a sealed text; none when it was sealed with another key, modified, or never sealed. */
  readonly open: (sealedText: string) => Effect.Effect<Option.Option<string>>
}>() {
  /**
   * Encrypts by AES-256-GCM (WebCrypto) with a key derived from `secret`, which must contain at least 32 random bytes
   * in any encoding. Without the secret, every chat webhook has to be set again.
   */
  static readonly layer = (secret: Redacted.Redacted): Layer.Layer<Sealer, never, Entropy> =>
    Layer.effect(
      Sealer,
      Effect.gen(function*() {
        const entropy = yield* Entropy
        const bytes = new Uint8Array(yield* hmacSha256(Redacted.value(secret), purpose))
        const key = yield* BusinessTime.hold(
          Effect.promise(() => crypto.subtle.importKey("raw", bytes, algorithm, false, ["encrypt", "decrypt"]))
        )
        const seal = Effect.fn("Sealer.seal")(function*(text: string) {
          const iv = new Uint8Array(yield* entropy.bytes(ivBytes))
          const data = new TextEncoder().encode(text)
          const ciphertext = yield* BusinessTime.hold(
            Effect.promise(() => crypto.subtle.encrypt({ name: algorithm, iv }, key, data))
          )
          return `${prefix}${Encoding.encodeBase64Url(Uint8Array.of(...iv, ...new Uint8Array(ciphertext)))}`
        })
        const open = Effect.fn("Sealer.open")(function*(sealedText: string) {
          const text = sealedText.startsWith(prefix) ? sealedText.slice(prefix.length) : ""
          const bytes = Uint8Array.from(yield* Encoding.decodeBase64Url(text))
          const [iv, data] = [bytes.slice(0, ivBytes), bytes.slice(ivBytes)]
          const plaintext = yield* BusinessTime.hold(
            Effect.tryPromise(() => crypto.subtle.decrypt({ name: algorithm, iv }, key, data))
          )
          return new TextDecoder().decode(plaintext)
        })
        return Sealer.of({ seal, open: (sealedText) => Effect.option(open(sealedText)) })
      })
    )
}
