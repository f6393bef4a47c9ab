import { assert, describe, it } from "@effect/vitest"
import { propertyRuns } from "@trunkline/kernel/testing"
import { Sealer } from "@trunkline/notifications"
import { Effect, FastCheck as fc, Option } from "effect"
import { sealerOf } from "../Fixtures.js"

const url = "https://hooks.slack.com/services/T0/B0/secret"
const seal = (text: string) => Effect.flatMap(Sealer, (sealer) => sealer.seal(text))
const open = (sealed: string) => Effect.flatMap(Sealer, (sealer) => sealer.open(sealed))
const other = <A>(effect: Effect.Effect<A, never, Sealer>) => Effect.provide(effect, sealerOf("other"))

describe("Sealer", () => {
  it.effect.prop(
    "opens what it sealed, and reveals none of it",
    [fc.string({ unit: "grapheme" })],
    ([text]) =>
      Effect.gen(function*() {
        const sealed = yield* seal(text)
        assert.match(sealed, /^v1\.[\w-]+$/)
        assert.deepStrictEqual(yield* open(sealed), Option.some(text))
      }).pipe(Effect.provide(sealerOf("secret"))),
    { fastCheck: { numRuns: propertyRuns(30), seed: 5 } }
  )

  it.effect("seals the same text differently each time", () =>
    Effect.gen(function*() {
      const [a, b] = [yield* seal(url), yield* seal(url)]
      assert.notStrictEqual(a, b)
      assert.deepStrictEqual([yield* open(a), yield* open(b)], [Option.some(url), Option.some(url)])
    }).pipe(Effect.provide(sealerOf("secret"))))

  it.effect("does not open texts of another key, modified texts or unsealed texts", () =>
    Effect.gen(function*() {
      const sealed = yield* seal(url)
      assert.deepStrictEqual(yield* other(open(sealed)), Option.none())
      for (let index = 3; index < sealed.length - 1; index++) {
        const changed = `${sealed.slice(0, index)}${sealed[index] === "A" ? "B" : "A"}${sealed.slice(index + 1)}`
        assert.deepStrictEqual(yield* open(changed), Option.none(), `at ${index}`)
      }
      for (const text of ["", "v1.", "v1.AAAA", "v1.%", url, sealed.slice(3), sealed.slice(0, -4), `v2.${sealed}`]) {
        assert.deepStrictEqual(yield* open(text), Option.none(), text)
      }
    }).pipe(Effect.provide(sealerOf("secret"))))
})
