import { assert, describe } from "@effect/vitest"
import { BusinessTime, InteractionId } from "@trunkline/kernel"
import { virtualTest } from "@trunkline/kernel/testing"
import {
  AttemptStore,
  type CallBrief,
  CallHandler,
  CallJournal,
  CallJournalStore,
  type CallLog,
  type CallLookup,
  CallRegistry,
  type CallReport,
  Calls,
  type Carrier,
  type JournalEntry,
  type Leg,
  LegEnded,
  NotAnswered
} from "@trunkline/telephony"
import { Duration, Effect, Layer, Option, Stream } from "effect"
import { attemptInProgress } from "../AttemptInProgress.js"
import { caller, connection, line, telephony } from "../Fixtures.js"
import { none, outcomeOf } from "./RecoveryFixtures.js"

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

const interaction_id = InteractionId.make("interaction-1")

const begun: ReadonlyArray<JournalEntry> = [
  { _tag: "Answered", interaction_id, started_at: 1_000 },
  { _tag: "Line", text: "a token" },
  { _tag: "Step", text: "an event" }
]

/** Fate of a call that a process has left behind. */
interface Seen {
  query: CallLookup | null
  brief: CallBrief | null
  log: CallLog | null
  cancelled: number
  left: number
}

/** Recovers a call that its provider returns, or not, or that is over, with some entries of its journal. */
const recover = (
  entries: ReadonlyArray<JournalEntry>,
  returns: boolean | "over",
  leavesAfter: Duration.DurationInput = Duration.infinity
) =>
  Effect.gen(function*() {
    const seen: Seen = { query: null, brief: null, log: null, cancelled: 0, left: 0 }
    const leg: Leg = {
      say: () => new LegEnded({ by: "user" }),
      listen: () => new LegEnded({ by: "user" }),
      hangUp: Effect.void,
      continuity: {
        keepIn: (log) => {
          seen.log = log
        },
        resume: () => null,
        leave: Effect.sync(() => {
          seen.left += 1
        })
      }
    }
    const gone = Effect.delay(new NotAnswered({ status: "provider_error", reason: "gone" }), "15 seconds")
    const carrier: Carrier = {
      provider: connection.provider,
      protocol: "websocket",
      dedupe: () => none,
      place: () => Effect.never,
      lookup: (query) => {
        seen.query = query
        if (returns === "over") return Effect.succeed({ _tag: "Over", provider_call_id: "call-1", result: null })
        return Effect.succeed({
          _tag: "Live",
          connected: true,
          call: {
            provider_call_id: query.provider_call_id ?? "",
            answer: Effect.never,
            returned: returns === true ? Effect.delay(Effect.succeed(leg), "2 seconds") : gone,
            cancel: Effect.sync(() => {
              seen.cancelled += 1
            })
          }
        })
      },
      offers: Stream.never
    }
    const handler = Layer.succeed(CallHandler, {
      conclude: ({ log }) =>
        log?.past.at(-1) === "damage" ? Effect.die(new Error("not an event")) : Effect.succeed(
          log?.past.at(-1) === "the end" ? Option.some({ report, ended_at: 1_900 }) : Option.none()
        ),
      handle: (_, brief) =>
        Effect.gen(function*() {
          seen.brief = brief
          yield* brief.log?.keep("another event") ?? Effect.void
          const tool = Effect.zipRight(BusinessTime.sleep("2 seconds"), brief.log?.keep("an outcome") ?? Effect.void)
          if (Duration.isFinite(Duration.decode(leavesAfter))) yield* brief.log?.stay(tool) ?? Effect.void
          yield* BusinessTime.sleep("5 seconds")
          return report
        })
    })
    return yield* Effect.gen(function*() {
      const [calls, store, journal] = [yield* Calls, yield* AttemptStore, yield* CallJournalStore]
      const attempt = attemptInProgress("accepted", { provider_call_id: "call-1" })
      yield* store.insertMany([attempt])
      yield* journal.append(entries.map((entry) => ({ attempt_id: attempt.attempt_id, entry })))
      const result = yield* calls.recover(attempt, { mayDial: Effect.succeed(true) })
      const { leave } = yield* CallRegistry
      const leaving = Effect.as(Effect.zipRight(Effect.sleep(leavesAfter), leave), null)
      const talking = Effect.catchAllCause(outcomeOf(result), () => Effect.never)
      const outcome = Duration.isFinite(Duration.decode(leavesAfter))
        ? yield* Effect.raceFirst(talking, leaving)
        : yield* outcomeOf(result)
      return { outcome, result: result._tag, seen, entries: yield* journal.ofAttempt(attempt.attempt_id) }
    }).pipe(Effect.provide(telephony({ carrier, handler })))
  })

describe("a call that its provider returns to another process", () => {
  virtualTest("goes on with its logs, its interaction and its start, and tells when", () =>
    Effect.gen(function*() {
      const { entries, outcome, result, seen } = yield* recover(begun, true)
      assert.strictEqual(result, "GoesOn")
      assert.deepInclude(outcome, { _tag: "Connected", interaction_id, started_at: 1_000, resumed_at: [2_000] })
      assert.deepStrictEqual(seen.log?.past, ["a token"])
      assert.deepStrictEqual(seen.brief?.log?.past, ["an event"])
      assert.deepStrictEqual(entries.slice(begun.length), [
        { _tag: "Resumed", at: 2_000 },
        { _tag: "Step", text: "another event" }
      ])
      assert.strictEqual(seen.cancelled, 0)
    }))

  virtualTest("is left to another one once its tool has an outcome, and has no end here", () =>
    Effect.gen(function*() {
      const { entries, outcome, seen } = yield* recover(begun, true, "3 seconds")
      assert.isNull(outcome)
      assert.strictEqual(seen.left, 1)
      assert.deepStrictEqual(entries.at(-1), { _tag: "Step", text: "an outcome" })
    }))

  virtualTest("is looked up by its id, and by its numbers where the id is learned late", () =>
    Effect.gen(function*() {
      const { seen } = yield* recover(begun, true)
      assert.deepInclude(seen.query, {
        provider_call_id: "call-1",
        isInbound: false,
        numbers: { ours: line, theirs: caller, since: 0 }
      })
    }))

  virtualTest("begins where nothing was said yet", () =>
    Effect.gen(function*() {
      const { outcome, seen } = yield* recover([], true)
      assert.strictEqual(outcome?._tag, "Connected")
      assert.notProperty(outcome, "resumed_at")
      assert.deepStrictEqual(seen.brief?.log?.past, [])
    }))

  virtualTest("is ended when something was said of which there is no log", () =>
    Effect.gen(function*() {
      const turn = { role: "agent" as const, en_text: "Hello.", indic_text: null, language_name: "English", at: 1_500 }
      const { outcome, seen } = yield* recover([...begun.slice(0, 1), { _tag: "Turn", turn }], true)
      assert.deepInclude(outcome, { _tag: "Connected", cut: "internal: the engine stopped during the call" })
      assert.strictEqual(seen.cancelled, 1)
    }))

  virtualTest("has the report of its log where its conversation had come to its end", () =>
    Effect.gen(function*() {
      for (const returns of ["over", false] as const) {
        const { outcome, seen } = yield* recover([...begun, { _tag: "Step", text: "the end" }], returns)
        const call = { _tag: "Connected" as const, interaction_id, started_at: 1_000, ended_at: 1_900, report }
        assert.deepStrictEqual(outcome, call)
        assert.strictEqual(seen.brief, null)
      }
    }))

  virtualTest(
    "is cut off where it is over, and something was left to say, or its log cannot be read",
    () =>
      Effect.gen(function*() {
        for (const entries of [begun, [...begun, { _tag: "Step", text: "damage" } as const]]) {
          const { outcome } = yield* recover(entries, "over")
          assert.deepInclude(outcome, {
            _tag: "Connected",
            interaction_id,
            cut: "internal: the engine stopped during the call"
          })
        }
      })
  )

  virtualTest("ends with what was stored when it does not come back", () =>
    Effect.gen(function*() {
      const { outcome, result, seen } = yield* recover(begun, false)
      assert.strictEqual(result, "GoesOn")
      assert.deepInclude(outcome, {
        _tag: "Connected",
        interaction_id,
        cut: "internal: the engine stopped during the call"
      })
      assert.strictEqual(seen.cancelled, 1)
      assert.strictEqual(seen.brief, null)
    }))
})

describe("what the journal keeps", () => {
  virtualTest(
    "is stored at once, with what was noted before, and not after the attempt is about to end",
    () =>
      Effect.gen(function*() {
        const [journal, store] = [yield* CallJournal, yield* CallJournalStore]
        const { attempt_id } = attemptInProgress("accepted")
        const step = (text: string): JournalEntry => ({ _tag: "Step", text })
        yield* journal.note(attempt_id, step("first"))
        yield* Effect.all([journal.keep(attempt_id, step("second")), journal.keep(attempt_id, step("third"))], {
          concurrency: 2
        })
        assert.deepStrictEqual(yield* store.ofAttempt(attempt_id), [step("first"), step("second"), step("third")])
        yield* journal.close(attempt_id)
        yield* journal.keep(attempt_id, step("late"))
        assert.lengthOf(yield* store.ofAttempt(attempt_id), 3)
      }).pipe(Effect.provide(telephony()))
  )
})
