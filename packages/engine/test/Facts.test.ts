import { assert, describe } from "@effect/vitest"
import { CallQuery } from "@trunkline/analytics"
import { recordingsLaws } from "@trunkline/analytics/testing"
import { FileStore } from "@trunkline/cohorts"
import { AttemptId, Entropy, findOne } from "@trunkline/kernel"
import { virtualTest } from "@trunkline/kernel/testing"
import { AttemptStore } from "@trunkline/telephony"
import { Effect, Layer, Option, Redacted, Schema, Stream } from "effect"
import { Engine, type MemoryOptions, RecordingKeys } from "../src/index.js"
import { recordingsLayer } from "../src/recordings/RecordingFiles.js"
import { agents, campaignBody, collections, connections, mondayMorning, over, scope, upload } from "./Fixtures.js"

const keys = Layer.provide(RecordingKeys.layer([Redacted.make("a".repeat(32))]), Entropy.layerSeeded("recordings"))

recordingsLaws("among the files of cohorts", Layer.provide(recordingsLayer, Layer.merge(FileStore.layerMemory, keys)))

const csv = "id,name,mobile\n1,Asha,9876543210\n2,Bilal,9876543201\n3,Chitra,9876543222\n"

const engine = (options: Partial<MemoryOptions> = {}) => Engine.layerMemory({ agents, connections, ...options })

/** Runs a campaign in which every contact is called once. */
const called = Effect.gen(function*() {
  const { campaigns, facts } = yield* Engine
  const webhook_config = { url: "https://example.com/hook", metadata: { batch: 7 } }
  const { campaign_id } = yield* campaigns.create(scope, campaignBody({ webhook_config }), "demo")
  yield* upload({ kind: "campaign", id: campaign_id }, csv)
  yield* over(campaign_id)
  yield* facts.catchUp(scope)
  return campaign_id
})

const ask = (sql: string) =>
  Effect.flatMap(Engine, ({ runs }) => Effect.map(runs.preview(scope, { sql }), ({ rows }) => rows))

const wholeDay = Schema.decodeUnknownSync(CallQuery)({
  start_datetime: "2024-05-20T00:00:00Z",
  end_datetime: "2024-05-21T00:00:00Z"
})

describe("the facts of an engine's calls", () => {
  virtualTest("can be queried in SQL, by names and by days in India", () =>
    Effect.gen(function*() {
      const campaign_id = yield* called
      assert.deepStrictEqual(
        yield* ask(
          `SELECT campaign_id, campaign_name, cohort_name, app_name, direction, channel_direction, effective_date,
             effective_hour, metadata ->> 'batch', count(*)
           FROM EngagementFactsBoardsView GROUP BY campaign_id`
        ),
        [[campaign_id, "May reminders", "May", "collections", "campaign", "outbound", "2024-05-20", 10, 7, 3]]
      )
      assert.deepStrictEqual(
        yield* ask(
          `SELECT user_identifier, on_start_agent_variables ->> 'customer_name', user_phone_number,
             v2v_connectivity_status, interaction_id IS NULL, audio_duration IS NULL, cost_amount
           FROM EngagementFactsBoardsView ORDER BY 1`
        ),
        [
          ["1", "Asha", "******3210", "connected", 0, 0, 1.5],
          ["2", "Bilal", "******3201", "busy", 1, 1, null],
          ["3", "Chitra", "******3222", "connected", 0, 0, 1.5]
        ]
      )
    }).pipe(
      Effect.provide(engine({
        simulator: { rules: [{ suffix: "01", callee: "busy" }] },
        callCost: ({ result }) => result?.interaction == null ? null : { amount: 1.5, currency: "INR" }
      }))
    ), { start: mondayMorning })

  virtualTest(
    "are erased with the other analytics data of a contact, and of no other contact",
    () =>
      Effect.gen(function*() {
        yield* called
        const { analytics, erasure, recordings, runs } = yield* Engine
        const { items } = yield* analytics.interactions(scope, collections, wholeDay)
        for (const { interaction_id } of items) {
          yield* recordings.keep(scope, interaction_id, Stream.make(Uint8Array.of(1)))
        }
        const { boards } = yield* Engine
        const actor = { type: "user", id: "tests" } as const
        const board = yield* boards.create(scope, { name: "Who", tag: null }, actor)
        const widget = yield* boards.createWidget(scope, board.id, {
          name: "Who",
          sql: "SELECT user_identifier FROM EngagementFactsBoardsView ORDER BY 1",
          viz_type: "table",
          viz_config: {},
          filters: [],
          tab_id: null
        }, actor)
        const shown = Effect.map(runs.widget(scope, board.id, widget.id), ({ rows }) => rows.flat())
        assert.deepStrictEqual(yield* shown, ["1", "2", "3"])
        assert.strictEqual(yield* erasure.user(scope, "1"), 1)
        assert.deepStrictEqual(yield* shown, ["2", "3"])
        assert.deepStrictEqual(yield* ask("SELECT user_identifier FROM EngagementFactsBoardsView ORDER BY 1"), [["2"], [
          "3"
        ]])
        const left = yield* analytics.attempts(scope, collections, wholeDay)
        assert.deepStrictEqual(left.items.map(({ user_identifier }) => user_identifier).sort(), ["2", "3"])
        for (const { interaction_id, user_identifier } of items) {
          const isGone = user_identifier === "1"
          assert.strictEqual(Option.isNone(yield* recordings.find(scope, interaction_id)), isGone)
          const words = yield* Effect.option(analytics.transcript(scope, collections, interaction_id))
          assert.strictEqual(Option.isNone(words), isGone)
        }
        for (const { attempt_id, user_identifier } of items) {
          const { result } = yield* Effect.flatten(findOne((yield* AttemptStore).findMany, attempt_id))
          assert.strictEqual(result?.interaction?.transcript.length === 0, user_identifier === "1")
        }
        assert.strictEqual(yield* erasure.user(scope, "1"), 0)
      }).pipe(Effect.provide(engine())),
    { start: mondayMorning }
  )

  virtualTest("are written when the cost computation fails, without delaying the call", () =>
    Effect.gen(function*() {
      yield* called
      assert.deepStrictEqual(
        yield* ask("SELECT user_identifier, cost_amount FROM EngagementFactsBoardsView ORDER BY 1"),
        [["1", null], ["2", null], ["3", 2]]
      )
    }).pipe(
      Effect.provide(engine({
        callCost: ({ user_identifier }) => {
          if (user_identifier === "1") throw new Error("no price list")
          return { amount: user_identifier === "2" ? Number.NaN : 2, currency: "INR" }
        }
      }))
    ), { start: mondayMorning })

  virtualTest("are revised later, which the boards show", () =>
    Effect.gen(function*() {
      yield* called
      const { analytics, facts } = yield* Engine
      const { items: [attempt] } = yield* analytics.attempts(scope, collections, wholeDay)
      const { attempt_id } = attempt ?? assert.fail("nobody was called")
      yield* facts.revise(scope, attempt_id, { cost_amount: 3, cost_currency: "INR", has_log_issues: 1 })
      yield* facts.catchUp(scope)
      assert.deepStrictEqual(
        yield* ask(
          "SELECT attempt_id, cost_amount, has_log_issues FROM EngagementFactsBoardsView WHERE cost_amount > 0"
        ),
        [[attempt_id, 3, 1]]
      )
      const missing = yield* Effect.flip(facts.revise(scope, AttemptId.make("nobody"), {}))
      assert.strictEqual(missing.resource, "attempt")
    }).pipe(Effect.provide(engine())), { start: mondayMorning })

  virtualTest(
    "are restored from the log when a warehouse is rebuilt, except erased ones",
    () =>
      Effect.gen(function*() {
        yield* called
        const { erasure, facts } = yield* Engine
        yield* erasure.user(scope, "3")
        yield* facts.rebuild(scope)
        assert.deepStrictEqual(yield* ask("SELECT user_identifier FROM EngagementFactsBoardsView ORDER BY 1"), [["1"], [
          "2"
        ]])
      }).pipe(Effect.provide(engine())),
    { start: mondayMorning }
  )
})
