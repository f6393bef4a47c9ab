import { assert, describe, it } from "@effect/vitest"
import {
  AppId,
  AttemptId,
  CampaignId,
  CohortId,
  ConnectionId,
  findOne,
  InteractionId,
  OrgId,
  PhoneNumber,
  WorkspaceId
} from "@trunkline/kernel"
import { Attempt, type AttemptResult, AttemptStore } from "@trunkline/telephony"
import { Effect, Layer, Option, Schema } from "effect"
import { sql } from "kysely"
import { AttemptStoreSql } from "../calls/AttemptStoreSql.js"
import { addCallSafety } from "../migrations/AddCallSafety.js"
import { migrate, migrations } from "../migrations/Migrate.js"
import { Sql } from "../sql/Sql.js"

/** The last version before attempts had columns for their changing fields. */
const previousVersion = migrations.indexOf(addCallSafety)

const result: AttemptResult = {
  completion_status: "completed",
  connectivity_status: "connected",
  next_action_status: null,
  failure_reason: null,
  interaction: {
    interaction_id: InteractionId.make("20260101-1"),
    started_at: 1_767_225_605_000.5,
    ended_at: 1_767_225_665_000,
    ended_by: "user",
    language_name: "Hindi",
    transcript: [{ role: "agent", en_text: "Hello \"there\"", indic_text: "नमस्ते\n", language_name: "Hindi", at: 1.25 }],
    final_agent_variables: { "odd \"key\", é": null },
    output_agent_variables: { paid: true },
    average_agent_response_seconds: 0.1,
    average_user_response_seconds: null
  },
  finished_at: 1_767_225_666_000.25
}

const attempt = (id: string, change: Partial<Attempt>) =>
  new Attempt({
    attempt_id: AttemptId.make(id),
    org_id: OrgId.make("acme"),
    workspace_id: WorkspaceId.make("main"),
    kind: "campaign",
    app_id: AppId.make("support"),
    app_version: 2,
    campaign_id: CampaignId.make("camp-a1b2c3d4e5f6"),
    cohort_id: CohortId.make("coh-a1b2c3d4e5f6"),
    deployment_id: null,
    connection_id: ConnectionId.make("O'Neil's \"line\""),
    channel_provider: "simulator",
    channel_protocol: "simulated",
    user_identifier: "null",
    user_phone_number: PhoneNumber.make("+919876543210"),
    agent_phone_number: PhoneNumber.make("+911140000001"),
    retry_attempt: 1,
    agent_variables: { name: "आशा \\ ' \"", due: 42.5, big: 1e21, small: 1e-7, paid: false, note: null },
    app_overrides: { initial_language_name: "Hindi" },
    webhook: { url: "https://a.example/hook", metadata: { list: [1, null, "x"] }, secret: "s" },
    attempted_at: 1_767_225_600_000,
    state: "pending",
    provider_call_id: null,
    result: null,
    ...change
  })

const stored = [
  attempt("1-pending", { kind: "outbound", campaign_id: null, cohort_id: null, webhook: null }),
  attempt("2-claimed", { state: "claimed", attempted_at: 1_767_225_600_000.125 }),
  attempt("3-accepted", { state: "accepted", provider_call_id: "call's \"1\"" }),
  attempt("4-ended", { state: "ended", provider_call_id: "call-2", result })
]

const encode = Schema.encodeSync(Schema.parseJson(Attempt))

/** The laws of `AttemptStoreSql` beyond those of every `AttemptStore`, for an empty database behind some dialect. */
export const attemptStoreSqlLaws = <E>(name: string, empty: Layer.Layer<Sql, E>): void => {
  const live = Layer.provideMerge(AttemptStoreSql.layer, empty)
  describe(`AttemptStoreSql laws: ${name}`, () => {
    it.effect("keeps attempts of an earlier version as they were, and continues them", () =>
      Effect.gen(function*() {
        const { query } = yield* Sql
        yield* migrate(migrations.slice(0, previousVersion))
        for (const attempt of stored) {
          const values = { attempt_id: attempt.attempt_id, state: attempt.state, body: encode(attempt) }
          yield* query((db) =>
            sql`insert into attempts (attempt_id, state, body) values (${values.attempt_id}, ${values.state}, ${values.body})`
              .execute(db)
          )
        }
        yield* migrate()
        const store = yield* AttemptStore
        for (const attempt of stored) {
          assert.deepStrictEqual(yield* findOne(store.findMany, attempt.attempt_id), Option.some(attempt))
        }
        assert.deepStrictEqual(
          (yield* store.unfinished).map(({ attempt_id }) => attempt_id),
          stored.slice(0, 3).map(({ attempt_id }) => attempt_id)
        )
        assert.isTrue(yield* store.claim(AttemptId.make("1-pending"), 7))
        const claimId = AttemptId.make("2-claimed")
        assert.deepStrictEqual(
          yield* store.acceptMany([{ attempt_id: claimId, provider_call_id: "call-3" }]),
          new Set([claimId])
        )
        const ends = yield* store.endMany(
          ["3-accepted", "4-ended"].map((id) => ({ attempt_id: AttemptId.make(id), result }))
        )
        assert.deepStrictEqual(ends.map(({ attempt_id }): string => attempt_id), ["3-accepted"])
        const { rows } = yield* query((db) => sql<{ body: string }>`select body from attempts`.execute(db))
        for (const { body } of rows) assert.notMatch(body, /"state"|"result"|"provider_call_id"|"attempted_at"/)
      }).pipe(Effect.provide(live)))

    it.effect("returns thousands of unfinished attempts", () =>
      Effect.gen(function*() {
        yield* migrate()
        const store = yield* AttemptStore
        const ids = Array.from({ length: 2_500 }, (_, index) => `attempt-${String(index).padStart(6, "0")}`)
        yield* store.insertMany(ids.map((id) => attempt(id, {})))
        yield* store.endMany([{ attempt_id: AttemptId.make("attempt-001000"), result }])
        const open = (yield* store.unfinished).map(({ attempt_id }): string => attempt_id)
        assert.deepStrictEqual(open, ids.filter((id) => id !== "attempt-001000"))
      }).pipe(Effect.provide(live)))
  })
}
