import { assert, describe } from "@effect/vitest"
import { type AttemptId, BusinessTime, Ids, type PhoneNumber } from "@trunkline/kernel"
import { Duration, Effect, Either, Fiber, type Scope } from "effect"
import { guardLeg } from "../calls/legs/LegGuard.js"
import type { CallStatus } from "../carriers/Carrier.js"
import { type CarrierHarness, type DefineTest, diallerOn, type HarnessDialler } from "./CarrierHarness.js"

/** Time after which the provider has processed a request. */
const soonDelay = Duration.millis(100)

/**
 * Laws of `Carrier`: an attempt is dialled once however often it is placed with a key, lost calls are found, events can
 * arrive late, duplicated or out of order, both sides can end a call, no missing acknowledgement postpones its deadline, and
 * every failure to connect has its status.
 * `harness` is created anew for every test.
 */
export const carrierLaws = <E>(
  name: string,
  harness: Effect.Effect<CarrierHarness, E, Scope.Scope>,
  test: DefineTest
): void => {
  const idsLayer = Ids.layerSeeded(name)

  const law = (
    title: string,
    check: (of: CarrierHarness & HarnessDialler) => Effect.Effect<void, unknown, Ids | Scope.Scope>
  ) =>
    test(title, () =>
      harness.pipe(
        Effect.flatMap((harness) => check({ ...harness, ...diallerOn(harness) })),
        Effect.provide(idsLayer)
      ))

  describe(`Carrier laws: ${name}`, () => {
    law(
      "speaks on an answered call and ends it by hanging up",
      ({ carrier, connection, dial, legOfCall, numbers }) =>
        Effect.gen(function*() {
          const { call, plan } = yield* dial(numbers.answers)
          const leg = yield* legOfCall(call)
          const utterance = { text: "Good morning.", language_name: "English", interruptible: false }
          assert.strictEqual((yield* leg.say(utterance)).heard, utterance.text)
          yield* leg.hangUp
          yield* leg.hangUp
          assert.strictEqual((yield* Effect.flip(leg.say(utterance)))._tag, "LegEnded")
          const sight = yield* carrier.lookup({ ...plan, connection, provider_call_id: call.provider_call_id })
          assert.deepInclude(sight, { _tag: "Over", result: null })
        })
    )

    law("notices when the other side hangs up", ({ dial, hangUp, legOfCall, numbers }) =>
      Effect.gen(function*() {
        const { call } = yield* dial(numbers.answers)
        const leg = yield* legOfCall(call)
        yield* hangUp(call.provider_call_id)
        const silence = Duration.seconds(30)
        const callEnd = yield* Effect.flip(Effect.forever(leg.listen(silence)))
        assert.deepInclude(callEnd, { _tag: "LegEnded", by: "user" })
        yield* leg.hangUp
      }))

    law(
      "ends a leg at its deadline, although its provider acknowledges nothing any more",
      (of) =>
        Effect.gen(function*() {
          const { call } = yield* of.dial(of.numbers.answers)
          const leg = yield* of.legOfCall(call)
          const deadline = (yield* BusinessTime.now) + 1_000
          const guard = yield* guardLeg(leg, { deadline, idle: Duration.minutes(10) })
          if (of.stall !== undefined) yield* of.stall
          const talking = yield* Effect.fork(Effect.forever(guard.leg.listen(Duration.seconds(30))))
          assert.strictEqual(yield* guard.limit, "deadline")
          yield* guard.close
          yield* Fiber.interruptFork(talking)
          const utterance = { text: "Too late.", language_name: "English", interruptible: true }
          assert.strictEqual((yield* Effect.flip(guard.leg.say(utterance)))._tag, "LegEnded")
        })
    )

    law("reports the status of every call that does not connect", ({ dial, numbers }) =>
      Effect.gen(function*() {
        const statusOf = (number: PhoneNumber) =>
          Effect.flatMap(dial(number, Duration.seconds(2)), ({ call }) =>
            Effect.map(Effect.flip(call.answer), ({ status }) => status))
        assert.strictEqual(yield* statusOf(numbers.busy), "busy")
        assert.strictEqual(yield* statusOf(numbers.noAnswer), "no_answer")
        assert.strictEqual(yield* statusOf(numbers.invalid), "failed")
        assert.deepInclude(yield* Effect.flip(dial(numbers.refused)), { _tag: "DialFailed", certainty: "provider" })
      }))

    law(
      "cancels a ringing call, once or twice",
      ({ carrier, connection, dial, numbers }) =>
        Effect.gen(function*() {
          const { call, plan } = yield* dial(numbers.noAnswer, Duration.seconds(60))
          yield* call.cancel
          yield* call.cancel
          assert.strictEqual((yield* Effect.flip(call.answer))._tag, "NotAnswered")
          const sight = yield* carrier.lookup({ ...plan, connection, provider_call_id: call.provider_call_id })
          assert.strictEqual(sight._tag, "Over")
        })
    )

    law(
      "finds a call by its id while it rings, while it is connected and after it has ended",
      ({ look, dial, numbers }) =>
        Effect.gen(function*() {
          const ringing = yield* dial(numbers.noAnswer, Duration.seconds(60))
          assert.deepInclude(yield* look(ringing), { _tag: "Live", connected: false })
          yield* ringing.call.cancel
          const talking = yield* dial(numbers.answers)
          const leg = yield* talking.call.answer
          const sight = yield* look(talking)
          assert.deepInclude(sight, { _tag: "Live", connected: true })
          if (sight._tag === "Live") yield* sight.call.answer
          yield* leg.hangUp
          assert.deepInclude(yield* look(talking), { _tag: "Over", result: null })
          const busy = yield* dial(numbers.busy)
          yield* Effect.flip(busy.call.answer)
          const over = yield* look(busy)
          assert.strictEqual(over._tag === "Over" ? over.result?.status : null, "busy")
        })
    )

    law("does not find a call that was never placed", ({ carrier, connection }) =>
      Effect.gen(function*() {
        const attempt_id = yield* Effect.flatMap(Ids, (ids) => ids.attemptId)
        const sight = yield* carrier.lookup({ attempt_id, connection, provider_call_id: "never-placed" })
        assert.strictEqual(sight._tag, "NotFound")
        assert.deepStrictEqual(yield* carrier.lookup({ attempt_id, connection, provider_call_id: null }), {
          _tag: "NotFound"
        })
      }))

    law("dials an attempt once however often it is placed with a key", (of) =>
      Effect.gen(function*() {
        if (of.carrier.dedupe(of.connection)._tag !== "Key") return
        const plan = yield* of.plan(of.numbers.answers)
        const placements = yield* Effect.all([of.carrier.place(plan), of.carrier.place(plan)], { concurrency: 2 })
        const leg = yield* placements[0].answer
        const again = yield* of.carrier.place(plan)
        yield* leg.hangUp
        const afterwards = yield* of.carrier.place(plan)
        const ids = [...placements, again, afterwards].map(({ provider_call_id }) => provider_call_id)
        assert.lengthOf(new Set(ids), 1)
        assert.strictEqual(yield* of.countDials(plan.attempt_id), 1)
      }))

    law(
      "recovers a call whose response was lost, by its key or by lookup, without dialling twice",
      (of) =>
        Effect.gen(function*() {
          const { carrier, connection, countDials, numbers } = of
          yield* of.loseNextResponse
          const plan = yield* of.plan(numbers.noAnswer, Duration.seconds(120))
          const result = yield* Effect.either(Effect.timeout(carrier.place(plan), "12 seconds"))
          if (Either.isLeft(result) && result.left._tag === "DialFailed") {
            assert.strictEqual(result.left.certainty, "unknown")
          }
          assert.strictEqual(yield* countDials(plan.attempt_id), 1)
          const dedupe = carrier.dedupe(connection)
          if (dedupe._tag === "Key") {
            yield* Effect.flatMap(carrier.place(plan), ({ cancel }) => cancel)
          }
          if (dedupe._tag === "Lookup") {
            yield* of.wait(dedupe.settle)
            const sight = yield* carrier.lookup({ ...plan, provider_call_id: null })
            assert.deepInclude(sight, { _tag: "Live", connected: false })
            if (sight._tag === "Live") yield* sight.call.cancel
          }
          assert.strictEqual(yield* countDials(plan.attempt_id), 1)
        })
    )

    law("finds calls by their attempts where the provider supports it", (of) =>
      Effect.gen(function*() {
        const dedupe = of.carrier.dedupe(of.connection)
        const settle = dedupe._tag === "None" ? undefined : dedupe.settle
        if (settle === undefined) return
        const [first, second] = yield* Effect.all([of.dial(of.numbers.answers), of.dial(of.numbers.answers)])
        const leg = yield* first.call.answer
        yield* of.wait(settle)
        const find = (attempt_id: AttemptId) =>
          of.carrier.lookup({ attempt_id, connection: of.connection, provider_call_id: null })
        assert.strictEqual(idOf(yield* find(first.plan.attempt_id)), first.call.provider_call_id)
        assert.strictEqual(idOf(yield* find(second.plan.attempt_id)), second.call.provider_call_id)
        yield* leg.hangUp
        assert.deepInclude(yield* find(first.plan.attempt_id), { _tag: "Over" })
        yield* second.call.cancel
      }))

    law(
      "lists live calls with their attempts and ends them by id",
      (of) =>
        Effect.gen(function*() {
          const { end, live } = of.carrier
          if (live === undefined || end === undefined) return
          const talking = yield* of.dial(of.numbers.answers)
          const leg = yield* talking.call.answer
          const ringing = yield* of.dial(of.numbers.noAnswer, Duration.seconds(60))
          const ids = Effect.map(
            live(of.connection),
            (calls) => new Map(calls.map(({ attempt_id, provider_call_id }) => [provider_call_id, attempt_id]))
          )
          const before = yield* ids
          for (const { call, plan } of [talking, ringing]) {
            assert.strictEqual(before.get(call.provider_call_id), plan.attempt_id)
            yield* end(of.connection, call.provider_call_id)
            yield* end(of.connection, call.provider_call_id)
          }
          yield* end(of.connection, "never-placed")
          yield* of.wait(soonDelay)
          const after = yield* ids
          assert.isFalse([talking, ringing].some(({ call }) => after.has(call.provider_call_id)))
          yield* leg.hangUp
        })
    )

    for (const how of ["promptly", "late", "twice", "backwards", "never"] as const) {
      law(`reports the same outcome when events are delivered ${how}`, (of) =>
        Effect.gen(function*() {
          if (of.deliver === undefined) return
          yield* of.deliver(how)
          const busy = yield* of.dial(of.numbers.busy)
          assert.strictEqual((yield* Effect.flip(busy.call.answer)).status, "busy")
          const dialledCall = yield* of.dial(of.numbers.answers)
          const leg = yield* dialledCall.call.answer
          yield* leg.hangUp
          assert.strictEqual(yield* of.countDials(dialledCall.plan.attempt_id), 1)
        }))
    }
  })
}

const idOf = (sight: CallStatus): string | null =>
  sight._tag === "NotFound" ? null : sight._tag === "Live" ? sight.call.provider_call_id : sight.provider_call_id
