import { BusinessTime, hmacSha256 } from "@trunkline/kernel"
import { Entropy } from "@trunkline/rate-limits"
import { Context, Effect, Encoding, Layer, type Option, Redacted } from "effect"

/** Starts what this version sealed. */
const prefix = "v1."
const purpose = "trunkline/notifications/sealer/v1"
const ivBytes = 12
const algorithm = "AES-GCM"

/** Keeps secrets unreadable where they are stored. */
export class Sealer extends Context.Tag("@trunkline/notifications/Sealer")<Sealer, {
  /** A text that only this key opens; another one each time. */
  readonly seal: (text: string) => Effect.Effect<string>
  /** What was sealed; none when it was sealed with another key, changed, or never sealed. */
  readonly open: (sealed: string) => Effect.Effect<Option.Option<string>>
}>() {
  /**
   * AES-256-GCM by WebCrypto, with a key derived from `secret`: 32 random bytes or more, in any spelling. Whoever loses
   * it has to set every chat webhook anew.
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
          const hidden = yield* BusinessTime.hold(
            Effect.promise(() => crypto.subtle.encrypt({ name: algorithm, iv }, key, data))
          )
          return `${prefix}${Encoding.encodeBase64Url(Uint8Array.of(...iv, ...new Uint8Array(hidden)))}`
        })
        const open = Effect.fn("Sealer.open")(function*(sealed: string) {
          const text = sealed.startsWith(prefix) ? sealed.slice(prefix.length) : ""
          const bytes = Uint8Array.from(yield* Encoding.decodeBase64Url(text))
          const [iv, data] = [bytes.slice(0, ivBytes), bytes.slice(ivBytes)]
          const shown = yield* BusinessTime.hold(
            Effect.tryPromise(() => crypto.subtle.decrypt({ name: algorithm, iv }, key, data))
          )
          return new TextDecoder().decode(shown)
        })
        return Sealer.of({ seal, open: (sealed) => Effect.option(open(sealed)) })
      })
    )
}
