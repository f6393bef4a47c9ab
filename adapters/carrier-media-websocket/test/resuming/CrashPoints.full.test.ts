import { assert, describe, it } from "@effect/vitest"
import { VirtualClock } from "@trunkline/kernel"
import { propertyCases, propertyRuns, virtualTest } from "@trunkline/kernel/testing"
import { Effect, FastCheck } from "effect"
import { type Crash, type CrashedCall, holdCall } from "./CrashingCall.js"

/** Clauses of the agent in order; the fourth when nobody knows if the table was booked. */
const clauses = [
  "Hello, how can I help you?",
  "I will do that for you now.",
  "It takes a moment.",
  "I could not find out.",
  "Your table is booked for eight.",
  "Do you need anything else?",
  "Goodbye then."
]

const spoken = clauses.filter((clause) => clause !== "I could not find out.").join(" ")

/** The report of a call, without the moments of its turns and what a process that has died had sent to the model. */
const timeless = ({ report: { model_inputs: _, ...report } }: CrashedCall) => ({
  ...report,
  transcript: report.transcript.map((turn) => ({ ...turn, at: 0 }))
})

/** Said into the silence after a clause that was not sent. */
const silencePrompt = "Are you still there?"

const textOf = ({ report }: CrashedCall, role: "agent" | "user"): string =>
  report.transcript.flatMap((turn) => turn.role === role ? [turn.en_text] : []).join(" ").replace(/\s+/g, " ")

/**
 * Checks a call that processes have gone on with. A clause that was stored and not sent counts as said, so that each crash may
 * cost one; nothing is said twice, whatever happens.
 */
const check = (call: CrashedCall): void => {
  const said = clauses.filter((clause) => call.sent.includes(clause))
  assert.strictEqual(call.sent.replaceAll(` ${silencePrompt}`, ""), said.join(" "))
  assert.isAtLeast(said.length, clauses.length - call.processes)
  assert.strictEqual(call.heard, call.sent)
  assert.strictEqual(textOf(call, "user"), "Book a table No thank you")
  assert.isAtMost(call.bookings, 1)
  if (said.includes("Your table is booked for eight.")) assert.strictEqual(call.bookings, 1)
  assert.strictEqual(call.report.fault, null)
  assert.strictEqual(call.report.ended_by, "agent")
}

const crash = FastCheck.record<Crash>({
  write: FastCheck.nat({ max: 12 }),
  when: FastCheck.constantFrom("before", "after")
})

describe("a call whose process stops", () => {
  virtualTest("is held by one process where none stops", () =>
    Effect.gen(function*() {
      const call = yield* holdCall([])
      check(call)
      assert.strictEqual(call.processes, 1)
      assert.strictEqual(call.sent, spoken)
    }))

  virtualTest(
    "goes on from each of its writes within two seconds, says nothing twice and runs no tool twice",
    () =>
      Effect.gen(function*() {
        const { writes } = yield* holdCall([])
        for (let write = 0; write < writes; write++) {
          for (const when of ["before", "after"] as const) {
            const call = yield* holdCall([{ write, when }])
            try {
              check(call)
              assert.strictEqual(call.processes, 2)
              // After a question that was stored and not sent, both sides are silent.
              if (!call.sent.includes(silencePrompt)) call.gaps.forEach((gap) => assert.isAtMost(gap, 2_000))
            } catch (error) {
              throw new Error(`after a crash ${when} write ${write} of ${writes}`, { cause: error })
            }
          }
        }
      })
  )

  virtualTest("runs a tool that may run twice again, when its outcome is not known", () =>
    Effect.gen(function*() {
      const { writes } = yield* holdCall([], { isRepeatable: true })
      for (const write of propertyCases(Array.from({ length: writes }, (_, index) => index))) {
        const call = yield* holdCall([{ write, when: "before" }], { isRepeatable: true })
        assert.strictEqual(call.sent, spoken)
        assert.include([1, 2], call.bookings)
      }
    }))

  virtualTest(
    "loses nothing where it is stopped, at any moment: all is said once, and the tool has run once",
    () =>
      Effect.gen(function*() {
        for (let leavesAfter = 1; leavesAfter < 4_000; leavesAfter += 37) {
          const call = yield* holdCall([{ leavesAfter }])
          try {
            check(call)
            assert.strictEqual(call.sent, spoken)
            assert.strictEqual(call.bookings, 1)
          } catch (error) {
            throw new Error(`after a stop at ${leavesAfter} ms`, { cause: error })
          }
        }
      })
  )

  virtualTest(
    "says nothing twice after a start that took long, when its provider tells late that the voice has begun",
    () =>
      Effect.gen(function*() {
        const { writes } = yield* holdCall([])
        for (let write = 0; write < writes; write++) {
          check(yield* holdCall([{ write, when: "after" }], { restartMillis: 2_500, replayMillis: 200 }))
        }
      })
  )

  virtualTest(
    "is told as it was by its log when it stops after the end of the call, and before that is stored",
    () =>
      Effect.gen(function*() {
        const whole = yield* holdCall([])
        const call = yield* holdCall([{ at: "end" }])
        check(call)
        assert.strictEqual(call.processes, 2)
        assert.strictEqual(call.sent, spoken)
        assert.deepStrictEqual(timeless(call), timeless(whole))
      })
  )

  it("goes on after several crashes, one after the other", () =>
    FastCheck.assert(
      FastCheck.asyncProperty(FastCheck.array(crash, { minLength: 2, maxLength: 6 }), async (crashes) => {
        check(await Effect.runPromise(VirtualClock.run(holdCall(crashes))))
      }),
      { numRuns: propertyRuns(500) }
    ))
})
