import { assert, describe, it } from "@effect/vitest"
import {
  AttemptItem,
  type CallRecord,
  fieldNames,
  InteractionItem,
  toAttemptItem,
  toInteractionItem
} from "@trunkline/analytics"
import { callRecord, testPlace, unanswered } from "@trunkline/analytics/testing"
import { PhoneNumber } from "@trunkline/kernel"
import { FastCheck, Option, Schema } from "effect"

const place = testPlace("items")
const hidden = { exposeUserContact: false }
const encodeAttempt = (record: CallRecord) => Schema.encodeSync(AttemptItem)(toAttemptItem(record, hidden))
const encodeInteraction = (record: CallRecord) =>
  Schema.encodeSync(InteractionItem)(Option.getOrThrow(toInteractionItem(record)))

describe("call items", () => {
  it("shows every documented key of an interaction, but neither the number nor the workspace", () => {
    assert.deepStrictEqual(encodeInteraction(callRecord(place, 1)), {
      attempt_id: "org-items-001",
      summary: null,
      output_variables: null,
      extraction: null,
      interaction_id: "20260101-org-items-001",
      app_id: "support",
      app_version: 1,
      deployment_id: null,
      campaign_id: "camp-a1b2c3d4e5f6",
      cohort_id: "coh-a1b2c3d4e5f6",
      user_identifier: "user-1",
      user_contact_masked: "******3210",
      user_contact_hashed: "5f".repeat(32),
      start_datetime: "2026-01-01T00:00:06.000Z",
      end_datetime: "2026-01-01T00:01:06.000Z",
      duration_in_seconds: 60,
      language_name: "Hindi",
      num_messages: 4,
      average_agent_response_time_in_seconds: 0.75,
      average_user_response_time_in_seconds: null,
      channel_direction: "outbound",
      channel_type: "v2v",
      channel_provider: "simulator",
      channel_protocol: "simulated",
      retry_attempt: 0,
      server_retry_attempt: 0,
      is_debug_call: 0,
      has_log_issues: 0,
      audio_url: null,
      job_id: null,
      failure_reason: null,
      ended_by: "AGENT_ENDS",
      agent_variables: { name: "Asha" }
    })
  })

  it("shows everything of its interaction and the outcome in an attempt", () => {
    const record = callRecord(place, 1)
    assert.deepStrictEqual(encodeAttempt(record), {
      ...encodeInteraction(record),
      attempted_at: "2026-01-01T00:00:01.000Z",
      connectivity_status: "connected",
      completion_status: "completed",
      next_action_status: null,
      correlation_id: null,
      user_contact: null
    })
  })

  it("shows null for conversation fields of an unanswered call", () => {
    assert.deepStrictEqual<unknown>(encodeAttempt(callRecord(place, 1, unanswered)), {
      ...encodeAttempt(callRecord(place, 1)),
      completion_status: "failed",
      connectivity_status: "no_answer",
      next_action_status: "retry",
      interaction_id: null,
      start_datetime: null,
      end_datetime: null,
      duration_in_seconds: null,
      language_name: null,
      num_messages: null,
      average_agent_response_time_in_seconds: null,
      average_user_response_time_in_seconds: null,
      audio_url: null,
      ended_by: null,
      agent_variables: null
    })
    assert.isTrue(Option.isNone(toInteractionItem(callRecord(place, 1, unanswered))))
  })

  it("shows the full number only if it is exposed", () => {
    assert.strictEqual(toAttemptItem(callRecord(place, 1), { exposeUserContact: true }).user_contact, "+919876543210")
    assert.isNull(toAttemptItem(callRecord(place, 1), hidden).user_contact)
  })

  it("has a key in attempts for every catalogued field", () => {
    const keys = Object.keys(encodeAttempt(callRecord(place, 1)))
    assert.deepStrictEqual(fieldNames.filter((name) => !keys.includes(name)), [])
  })

  it.prop("shows at most the last four digits of a number", [
    FastCheck.stringMatching(/^\+[1-9]\d{6,14}$/)
  ], ([number]) => {
    const record = callRecord(place, 1, { user_contact: PhoneNumber.make(number), user_contact_hashed: "-" })
    const items = [toAttemptItem(record, hidden), Option.getOrThrow(toInteractionItem(record))]
    return items.every((item) =>
      item.user_contact_masked.replace(/\D/g, "").length <= 4 && !JSON.stringify(item).includes(number.slice(1))
    )
  })
})
