import { assert, describe } from "@effect/vitest"
import { BusinessTime } from "@trunkline/kernel"
import { meterReading, virtualTest } from "@trunkline/kernel/testing"
import { Duration, Effect, Exit, Fiber, Scope } from "effect"
import { type AudibleCall, connect, wait, withoutEnd } from "./Audible.js"

const listen = Duration.seconds(8)
const keys = (digit: string) => ({ _tag: "Pressed", digit }) as const
const ignored = () => meterReading("trunkline_line_ignored_events_total")

/** Presses keys with a pause after each. */
const press = ({ caller }: AudibleCall, digits: string, pause: number) =>
  Effect.forEach(digits, (digit) => Effect.zipRight(Effect.sync(() => caller.press(digit)), wait(pause)))

describe("the keys of a caller", () => {
  virtualTest("are one entry until a pause", () =>
    Effect.gen(function*() {
      const call = yield* connect()
      const listening = yield* Effect.fork(call.leg.listen(listen))
      yield* press(call, "4711", 300)
      assert.strictEqual((yield* Fiber.poll(listening))._tag, "None")
      assert.deepStrictEqual(withoutEnd(yield* listening), keys("4711"))
      assert.closeTo(yield* BusinessTime.now, 900 + 500, 20)
    }))

  virtualTest("are an entry at once with #", () =>
    Effect.gen(function*() {
      const call = yield* connect()
      const listening = yield* Effect.fork(call.leg.listen(listen))
      yield* press(call, "12#", 100)
      assert.deepStrictEqual(withoutEnd(yield* listening), keys("12#"))
    }))

  virtualTest("that come all at once are one entry", () =>
    Effect.gen(function*() {
      const call = yield* connect()
      yield* press(call, "123456789012345678901234567890", 0)
      assert.deepStrictEqual(withoutEnd(yield* call.leg.listen(listen)), keys("123456789012345678901234567890"))
      assert.deepStrictEqual(yield* call.leg.listen(Duration.seconds(1)), { _tag: "Silent" })
    }))

  virtualTest("are heard although the caller never pauses", () =>
    Effect.gen(function*() {
      const call = yield* connect()
      yield* Effect.forkScoped(press(call, "1".repeat(200), 100))
      for (let entry = 0; entry < 3; entry++) {
        assert.deepStrictEqual(withoutEnd(yield* call.leg.listen(listen)), keys("1".repeat(64)))
      }
      assert.deepStrictEqual(withoutEnd(yield* call.leg.listen(listen)), keys("1".repeat(8)))
    }))

  virtualTest("come before the words that follow them", () =>
    Effect.gen(function*() {
      const call = yield* connect()
      const listening = yield* Effect.fork(call.leg.listen(listen))
      yield* press(call, "5", 0)
      yield* call.say("Yes.")
      assert.deepStrictEqual(withoutEnd(yield* listening), keys("5"))
      assert.deepInclude(yield* call.leg.listen(listen), { _tag: "Said", text: "Yes." })
    }))

  virtualTest("follow the words after which they were pressed", () =>
    Effect.gen(function*() {
      const call = yield* connect()
      const first = yield* Effect.fork(call.leg.listen(listen))
      yield* call.say("My number is")
      yield* press(call, "4711", 100)
      assert.deepInclude(yield* first, { _tag: "Said", text: "My number is" })
      assert.deepStrictEqual(withoutEnd(yield* call.leg.listen(listen)), keys("4711"))
      const second = yield* Effect.fork(call.leg.listen(listen))
      yield* call.say("And")
      yield* press(call, "12#", 0)
      assert.deepInclude(yield* second, { _tag: "Said", text: "And" })
      assert.deepStrictEqual(withoutEnd(yield* call.leg.listen(listen)), keys("12#"))
    }))

  virtualTest("count although the caller hangs up at once", () =>
    Effect.gen(function*() {
      const call = yield* connect()
      const listening = yield* Effect.fork(call.leg.listen(listen))
      yield* press(call, "5", 100)
      yield* call.caller.hangUp
      assert.deepStrictEqual(withoutEnd(yield* listening), keys("5"))
      assert.strictEqual((yield* Effect.flip(call.leg.listen(listen))).by, "user")
    }))

  virtualTest("are not waited for while the call is held", () =>
    Effect.gen(function*() {
      const call = yield* connect()
      const listening = yield* Effect.fork(call.leg.listen(listen))
      yield* press(call, "1", 100)
      call.caller.hold(true)
      yield* wait(10_000)
      call.caller.hold(false)
      yield* press(call, "2", 100)
      assert.deepStrictEqual(withoutEnd(yield* listening), keys("12"))
    }))

  virtualTest("that no telephone has are ignored and counted, and interrupt nobody", () =>
    Effect.gen(function*() {
      const before = ignored()
      const scope = yield* Scope.make()
      const { caller, leg } = yield* Scope.extend(connect(), scope)
      const speaking = yield* Effect.fork(
        leg.say({ text: "Good morning.", language_name: "English", interruptible: true })
      )
      yield* wait(200)
      for (const digit of ["", "xyz", "12", "E", " "]) caller.press(digit)
      assert.deepInclude(yield* speaking, { heard: "Good morning.", interrupted: false })
      assert.deepStrictEqual(yield* leg.listen(Duration.seconds(1)), { _tag: "Silent" })
      yield* Scope.close(scope, Exit.void)
      assert.strictEqual(ignored() - before, 5)
    }))
})
