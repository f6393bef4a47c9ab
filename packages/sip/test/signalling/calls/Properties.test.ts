import { assert, describe, it } from "@effect/vitest"
import { VirtualClock } from "@trunkline/kernel"
import { propertyRuns } from "@trunkline/kernel/testing"
import type { IncomingCall, SipCall } from "@trunkline/sip"
import { Effect, Exit, FastCheck, Option, Ref } from "effect"
import { answer, callee, caller, invitation, makeNetwork } from "../Agents.js"

const none = { transactions: 0, calls: 0 }

/** A bad network, and what both sides do on it. Times are in milliseconds. */
const scenario = FastCheck.record({
  seed: FastCheck.integer({ min: 0, max: 2 ** 30 }),
  loss: FastCheck.double({ min: 0, max: 0.4, noNaN: true }),
  doubles: FastCheck.double({ min: 0, max: 0.4, noNaN: true }),
  jitter: FastCheck.integer({ min: 0, max: 900 }),
  protocol: FastCheck.constantFrom("udp", "udp", "tcp"),
  decision: FastCheck.constantFrom("accept", "accept", "accept", "reject", "ring"),
  ringing: FastCheck.integer({ min: 0, max: 4_000 }),
  cancelsAt: FastCheck.option(FastCheck.integer({ min: 0, max: 6_000 })),
  talking: FastCheck.integer({ min: 0, max: 5_000 }),
  reoffers: FastCheck.boolean(),
  hangsUp: FastCheck.constantFrom("caller", "callee", "both")
})

type Scenario = typeof scenario extends FastCheck.Arbitrary<infer A> ? A : never

const ignore = (effect: Effect.Effect<unknown, unknown>) => Effect.forkScoped(Effect.ignore(effect))

/** Talks for a while; the side that is told to hangs up. */
const talk = (call: SipCall, { reoffers, talking }: Scenario, isHangingUp: boolean) =>
  Effect.gen(function*() {
    if (reoffers) yield* ignore(call.reinvite("another offer"))
    yield* Effect.sleep(talking)
    if (isHangingUp) yield* call.bye()
    yield* call.ended
  })

/** Runs one call, and returns what is left of it four minutes later, as long as a call may ring. */
const run = (plan: Scenario) =>
  Effect.gen(function*() {
    const { cancelsAt, decision, doubles, hangsUp, jitter, loss, protocol, ringing, seed } = plan
    const network = yield* makeNetwork({ seed, loss, doubles, delay: [1, 1 + jitter] })
    const accepted = yield* Ref.make(0)
    const handlers = { reoffer: () => Effect.succeed(answer) }
    const take = (call: IncomingCall) =>
      Effect.gen(function*() {
        yield* call.ring()
        yield* Effect.sleep(ringing)
        if (decision === "reject") return yield* call.reject(486)
        if (decision === "ring") return yield* call.cancelled
        const answered = yield* call.accept(answer, { handlers })
        yield* Ref.update(accepted, (count) => count + 1)
        yield* talk(answered, plan, hangsUp !== "caller")
      }).pipe(Effect.scoped, Effect.ignore)
    const left = yield* network.agent(caller)
    const right = yield* network.agent(callee, { incoming: take })
    const target = `sip:agent@${callee}${protocol === "tcp" ? ";transport=tcp" : ""}`
    const place = Effect.gen(function*() {
      const outgoing = yield* left.invite({ ...invitation, target, handlers, ringTimeout: "20 seconds" })
      if (cancelsAt !== null) yield* ignore(Effect.delay(outgoing.cancel, cancelsAt))
      const answered = yield* Effect.option(outgoing.answered)
      if (Option.isNone(answered)) return 0
      yield* talk(answered.value, plan, hangsUp !== "callee")
      return 1
    })
    const answers = yield* Effect.exit(place)
    yield* Effect.sleep("4 minutes")
    return {
      answers: Exit.isSuccess(answers) ? answers.value : 0,
      accepted: yield* Ref.get(accepted),
      left: left.counts(),
      right: right.counts()
    }
  }).pipe(Effect.scoped, VirtualClock.run)

describe("a call on a bad network", () => {
  it("ends on both sides, is answered at most once, and leaves nothing", () =>
    FastCheck.assert(
      FastCheck.asyncProperty(scenario, async (plan) => {
        const { accepted, answers, left, right } = await Effect.runPromise(run(plan))
        assert.isAtMost(accepted, 1)
        assert.isAtMost(answers, accepted)
        assert.deepStrictEqual([left, right], [none, none])
      }),
      { numRuns: propertyRuns(150) }
    ))
})
