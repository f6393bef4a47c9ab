import { assert, describe } from "@effect/vitest"
import { Duration, Effect, type Scope } from "effect"
import type { AudioLine } from "../call/AudioLine.js"
import type { Leg } from "../call/Leg.js"
import type { DefineTest } from "./CarrierHarness.js"

/** An answered call, and the provider's side of it. */
export interface TransferHarness {
  readonly leg: Leg | AudioLine
  /** Keys that the other side has got. */
  readonly keys: Effect.Effect<string>
  /** Addresses with which the provider has connected the call. */
  readonly connected: Effect.Effect<ReadonlyArray<string>>
  /** Address that takes calls, one that is busy, and one that the provider cannot call; null where there is none. */
  readonly addresses: { readonly takes: string; readonly busy: string | null; readonly unknown: string | null }
  /** Lets what was sent arrive. */
  readonly settle: Effect.Effect<void>
}

const ringTimeout = Duration.seconds(20)

/** Times that what was sent is waited for. */
const maxWaits = 20

/** The keys that have arrived: those that are expected, or what there is in the end. */
const awaitKeys = (call: TransferHarness, keys: string, waits = 0): Effect.Effect<string> =>
  Effect.zipRight(
    call.settle,
    Effect.flatMap(call.keys, (now) =>
      now === keys || waits >= maxWaits
        ? Effect.succeed(now)
        : Effect.suspend(() => awaitKeys(call, keys, waits + 1)))
  )

/**
 * Laws of keys and of transfers by the provider: keys arrive in order, a call that was taken is left and not ended, and any other
 * one goes on. `open` answers a new call for every test.
 */
export const transferLaws = <E>(
  name: string,
  open: Effect.Effect<TransferHarness, E, Scope.Scope>,
  test: DefineTest
): void => {
  const law = (title: string, check: (call: TransferHarness) => Effect.Effect<void, unknown, Scope.Scope>) =>
    test(title, () => Effect.flatMap(open, check))

  const goesOn = (call: TransferHarness) =>
    Effect.gen(function*() {
      yield* call.leg.press?.("9") ?? Effect.void
      assert.strictEqual(yield* awaitKeys(call, "9"), "9")
      yield* call.leg.hangUp
    })

  describe(`Transfer laws: ${name}`, () => {
    law("sends keys in order, and nothing that is no key", (call) =>
      Effect.gen(function*() {
        const { hangUp, press } = call.leg
        assert.isDefined(press)
        yield* press?.("1x*") ?? Effect.void
        yield* press?.("20#") ?? Effect.void
        assert.strictEqual(yield* awaitKeys(call, "1*20#"), "1*20#")
        yield* hangUp
      }))

    law(
      "connects the call with an address, and ends nothing when it hangs up afterwards",
      ({ addresses, leg, connected, settle }) =>
        Effect.gen(function*() {
          if (leg.refer === undefined) return
          assert.deepStrictEqual(yield* leg.refer({ to: addresses.takes, ringTimeout }), { _tag: "Taken" })
          yield* leg.hangUp
          yield* leg.hangUp
          yield* settle
          assert.deepStrictEqual(yield* connected, [addresses.takes])
        })
    )

    law("goes on with the call when the address is busy", (call) =>
      Effect.gen(function*() {
        const { refer } = call.leg
        const { busy } = call.addresses
        if (refer === undefined || busy === null) return
        assert.deepInclude(yield* refer({ to: busy, ringTimeout }), { _tag: "NotTaken", outcome: "busy" })
        yield* goesOn(call)
        assert.deepStrictEqual(yield* call.connected, [])
      }))

    law("goes on with the call when the provider cannot call the address", (call) =>
      Effect.gen(function*() {
        const { refer } = call.leg
        const { unknown } = call.addresses
        if (refer === undefined || unknown === null) return
        assert.notStrictEqual((yield* refer({ to: unknown, ringTimeout }))._tag, "Taken")
        yield* goesOn(call)
        assert.deepStrictEqual(yield* call.connected, [])
      }))
  })
}
