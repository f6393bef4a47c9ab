import { assert, describe } from "@effect/vitest"
import { BusinessTime, findOne, InteractionId } from "@trunkline/kernel"
import { virtualTest } from "@trunkline/kernel/testing"
import {
  Attempts,
  AttemptStore,
  CallHandler,
  CallJournal,
  CallJournalStore,
  type CallReport,
  Calls,
  type JournalEntry,
  summarizeOutcome
} from "@trunkline/telephony"
import { Duration, Effect, Fiber, Layer, Option, Ref, Stream } from "effect"
import { attemptInProgress } from "../AttemptInProgress.js"
import { connection, telephony } from "../Fixtures.js"
import { none, outcomeOf } from "./RecoveryFixtures.js"

const options = { mayDial: Effect.succeed(true) }

const report: CallReport = {
  agent_done: true,
  ended_by: "agent",
  language_name: "English",
  transcript: [],
  final_agent_variables: {},
  output_agent_variables: {},
  average_agent_response_seconds: null,
  average_user_response_seconds: null,
  business_retry: false,
  reschedule_at: null,
  fault: null
}

/** Speaks three sentences, the second in Hindi, and reports when all are said. */
const talkative = Layer.succeed(CallHandler, {
  handle: (leg) =>
    Effect.gen(function*() {
      for (
        const [text, language_name] of [["Hello there.", "English"], ["नमस्ते जी।", "Hindi"], [
          "Bye.",
          "English"
        ]] as const
      ) {
        yield* leg.say({ text, language_name, interruptible: false })
        yield* BusinessTime.sleep("5 seconds")
      }
      yield* leg.hangUp
      return report
    }).pipe(Effect.catchTag("LegEnded", () => Effect.succeed(report)))
})

const said = (en_text: string, at: number): JournalEntry => ({
  _tag: "Turn",
  turn: { role: "agent", en_text, indic_text: null, language_name: "English", at }
})

const interaction_id = InteractionId.make("interaction-1")

describe("the journal of a call", () => {
  virtualTest(
    "holds its start and its turns a second after they happened, and is empty once the attempt has ended",
    () =>
      Effect.gen(function*() {
        const [calls, attempts, store, journal] = [
          yield* Calls,
          yield* Attempts,
          yield* AttemptStore,
          yield* CallJournalStore
        ]
        const attempt = attemptInProgress("claimed")
        const { attempt_id } = attempt
        yield* store.insertMany([attempt])
        const call = yield* Effect.fork(calls.place(attempt))
        yield* BusinessTime.sleep("15 seconds")
        const entries = yield* journal.ofAttempt(attempt_id)
        assert.strictEqual(entries[0]?._tag, "Answered")
        assert.deepStrictEqual(
          entries.flatMap((entry) => entry._tag === "Turn" ? [[entry.turn.en_text, entry.turn.indic_text]] : []),
          [["Hello there.", null], ["नमस्ते जी।", "नमस्ते जी।"]]
        )
        const outcome = yield* Fiber.join(call)
        assert.strictEqual(outcome._tag, "Connected")
        if (outcome._tag !== "Connected") return
        yield* attempts.end({ attempt_id, outcome })
        assert.deepStrictEqual(yield* journal.ofAttempt(attempt_id), [])
        yield* BusinessTime.sleep("5 seconds")
        assert.deepStrictEqual(yield* journal.ofAttempt(attempt_id), [])
      }).pipe(Effect.provide(telephony({ handler: talkative })))
  )

  virtualTest("is never written for a call that is over within a second", () =>
    Effect.gen(function*() {
      const journal = yield* CallJournal
      const store = yield* CallJournalStore
      const { attempt_id } = attemptInProgress("accepted")
      yield* journal.note(attempt_id, { _tag: "Answered", interaction_id, started_at: 0 })
      yield* journal.close(attempt_id)
      yield* journal.note(attempt_id, said("Too late.", 1))
      yield* Effect.sleep("10 seconds")
      assert.deepStrictEqual(yield* store.ofAttempt(attempt_id), [])
    }).pipe(Effect.provide(telephony())))

  virtualTest("is waited for while it is being written, so that nothing is left of it", () =>
    Effect.gen(function*() {
      const journal = yield* CallJournal
      const store = yield* CallJournalStore
      const { attempt_id } = attemptInProgress("accepted")
      yield* journal.note(attempt_id, said("Hello.", 1))
      yield* Effect.sleep("1 second")
      yield* journal.note(attempt_id, said("Again.", 2))
      yield* journal.close(attempt_id)
      yield* journal.remove([attempt_id])
      journal.forget([attempt_id])
      yield* Effect.sleep("10 seconds")
      assert.deepStrictEqual(yield* store.ofAttempt(attempt_id), [])
    }).pipe(Effect.provide(telephony())))
})

describe("a conversation whose process stopped", () => {
  const recoveredWith = (entries: ReadonlyArray<JournalEntry>) =>
    Effect.gen(function*() {
      const [calls, store, journal] = [yield* Calls, yield* AttemptStore, yield* CallJournalStore]
      const attempt = attemptInProgress("accepted", { provider_call_id: "gone", agent_variables: { name: "Asha" } })
      yield* store.insertMany([attempt])
      yield* journal.append(entries.map((entry) => ({ attempt_id: attempt.attempt_id, entry })))
      const outcome = yield* outcomeOf(yield* calls.recover(attempt, options))
      if (outcome === null) return yield* Effect.dieMessage("There is no outcome")
      yield* (yield* Attempts).end({ attempt_id: attempt.attempt_id, outcome })
      assert.deepStrictEqual(yield* journal.ofAttempt(attempt.attempt_id), [])
      const stored = Option.getOrThrow(yield* findOne(store.findMany, attempt.attempt_id))
      return { outcome, result: stored.result }
    }).pipe(Effect.provide(telephony({ simulator: { dedupe: none } })))

  virtualTest("ends as connected, with its start and what was said until then", () =>
    Effect.gen(function*() {
      const { result } = yield* recoveredWith([
        { _tag: "Answered", interaction_id, started_at: 1_000 },
        said("Hello.", 2_000),
        said("How are you?", 9_500)
      ])
      assert.include(result, {
        completion_status: "partial",
        connectivity_status: "connected",
        failure_reason: "internal: the engine stopped during the call"
      })
      const { interaction } = result ?? {}
      assert.include(interaction, { interaction_id, started_at: 1_000, ended_at: 9_500, language_name: "English" })
      assert.deepStrictEqual(interaction?.transcript.map(({ en_text }) => en_text), ["Hello.", "How are you?"])
      assert.deepStrictEqual(interaction?.final_agent_variables, { name: "Asha" })
    }))

  virtualTest("ends without a conversation where none is known to have begun", () =>
    Effect.gen(function*() {
      const { outcome, result } = yield* recoveredWith([{ _tag: "Signalling", state: "{}" }])
      assert.strictEqual(summarizeOutcome(outcome, null).interaction, null)
      assert.include(result, { completion_status: "failed", connectivity_status: null, interaction: null })
    }))

  virtualTest(
    "is ended at the other side of its line with the latest that its carrier kept",
    () =>
      Effect.gen(function*() {
        const released = yield* Ref.make<ReadonlyArray<string>>([])
        yield* Effect.gen(function*() {
          const [calls, store, journal] = [yield* Calls, yield* AttemptStore, yield* CallJournalStore]
          const attempt = attemptInProgress("accepted", { provider_call_id: "gone" })
          yield* store.insertMany([attempt])
          yield* journal.append(["ringing", "talking"].map((state) => ({
            attempt_id: attempt.attempt_id,
            entry: { _tag: "Signalling", state }
          })))
          yield* calls.recover(attempt, options)
          yield* Effect.sleep(Duration.millis(1))
        }).pipe(Effect.provide(telephony({
          carrier: {
            provider: connection.provider,
            protocol: "sip",
            inProcess: true,
            dedupe: () => none,
            place: () => Effect.never,
            lookup: () => Effect.succeed({ _tag: "NotFound" }),
            release: ({ connection_id }, signalling) =>
              Ref.update(released, (all) => [...all, `${connection_id} ${signalling}`]),
            offers: Stream.never
          }
        })))
        assert.deepStrictEqual(yield* Ref.get(released), ["sim-1 talking"])
      })
  )
})
