import { assert, describe, it } from "@effect/vitest"
import { AppId, AttemptId, CampaignId, CohortId, DeploymentId, InteractionId, PhoneNumber } from "@trunkline/kernel"
import {
  CampaignAttemptPayload,
  type InboundCallPayload,
  maxBodyBytes,
  type OutboundCallPayload,
  webhookBody
} from "@trunkline/webhooks"
import { DateTime, Either, Schema } from "effect"

const start = DateTime.unsafeMake("2026-09-01T10:00:00Z")
const end = DateTime.addDuration(start, "1500 millis")
const user = PhoneNumber.make("+919876543210")
const agent = PhoneNumber.make("+911140000001")

const noResults = { summary: null, output_variables: null, extraction: null }

const connected: CampaignAttemptPayload = {
  app_id: AppId.make("collections"),
  app_version: 3,
  attempt_id: AttemptId.make("019a0000-0000-7000-8000-000000000001"),
  campaign_id: CampaignId.make("camp-0123456789ab"),
  cohort_id: CohortId.make("coh-0123456789ab"),
  completion_status: "completed",
  connectivity_status: "connected",
  next_action_status: null,
  failure_reason: null,
  opt_out: null,
  answer: null,
  user_identifier: "u-1",
  user_phone_number: user,
  agent_phone_number: agent,
  duration: 1.5,
  interaction_id: InteractionId.make("20260901-019a0000-0000-7000-8000-000000000002"),
  retry_attempt: 0,
  executed_at: start,
  start_datetime: start,
  end_datetime: end,
  initial_agent_variables: { name: "Asha" },
  final_agent_variables: { name: "Asha", promised: true },
  output_agent_variables: { promised: true },
  summary: "Promised to pay.",
  output_variables: { promised: true, amount: 500 },
  extraction: {
    status: "done",
    reason: null,
    model: "core-105b",
    tries: 1,
    duration_seconds: 2,
    usage: { input_tokens: 100, output_tokens: 10 },
    variables: [{ name: "promised", type: "boolean", source: "call" }, {
      name: "amount",
      type: "number",
      source: "model"
    }]
  },
  interaction_transcript: [
    { role: "agent", en_text: "Hello", indic_text: "नमस्ते" },
    { role: "user", en_text: "Hi" }
  ],
  metadata: { team: "recovery" },
  costs: {
    lines: [{
      service: "carrier",
      provider: "simulator",
      model: "line",
      unit: "second",
      quantity: 60,
      unit_price: 0.01,
      per: 60,
      currency: "USD",
      amount_micros: 10_000
    }],
    totals: [{ currency: "USD", amount_micros: 10_000 }],
    currency: "USD",
    amount_micros: 10_000,
    complete: true
  }
}

const unconnected: CampaignAttemptPayload = {
  ...connected,
  completion_status: "failed",
  connectivity_status: null,
  next_action_status: "provider_error_retry",
  failure_reason: "simulator: trunk down",
  opt_out: null,
  agent_phone_number: null,
  duration: null,
  interaction_id: null,
  retry_attempt: 1,
  executed_at: null,
  start_datetime: null,
  end_datetime: null,
  initial_agent_variables: null,
  final_agent_variables: null,
  output_agent_variables: null,
  ...noResults,
  interaction_transcript: null,
  metadata: null,
  costs: null
}

const jsonOf = (bytes: Uint8Array): Record<string, unknown> => JSON.parse(new TextDecoder().decode(bytes))

describe("webhookBody", () => {
  it("encodes a connected attempt as documented", () => {
    const { end_datetime, executed_at, start_datetime, ...rest } = connected
    assert.deepStrictEqual(jsonOf(webhookBody(connected)), {
      ...rest,
      executed_at: "2026-09-01T10:00:00.000Z",
      start_datetime: "2026-09-01T10:00:00.000Z",
      end_datetime: "2026-09-01T10:00:01.500Z"
    })
    assert.isTrue([start_datetime, end_datetime, executed_at].every((at) => at !== null))
  })

  it("has the same keys in the same order for connected and unconnected calls", () => {
    const keys = Object.keys(jsonOf(webhookBody(connected)))
    const { app_id, ...rest } = unconnected
    const shuffled = { ...rest, secret_note: "stays", app_id }
    assert.deepStrictEqual(Object.keys(jsonOf(webhookBody(shuffled))), keys)
    assert.lengthOf(keys, 29)
  })

  it("omits only the transcript above 1 MB", () => {
    const turn = { role: "user" as const, en_text: "x".repeat(1_000) }
    const long = { ...connected, interaction_transcript: Array.from({ length: 1_100 }, () => turn) }
    const body = webhookBody(long)
    assert.isBelow(body.byteLength, maxBodyBytes)
    assert.deepStrictEqual(jsonOf(body), jsonOf(webhookBody({ ...connected, interaction_transcript: null })))
    const fitting = { ...connected, interaction_transcript: [turn] }
    assert.deepStrictEqual(jsonOf(webhookBody(fitting)).interaction_transcript, [turn])
  })

  it("dies for an invalid payload without repeating it", () => {
    const broken = { ...connected, duration: Number.NaN }
    assert.throws(() => webhookBody(broken), /^a webhook payload does not match its schema$/)
  })

  it("requires every key, and accepts null only where documented", () => {
    const wire = jsonOf(webhookBody(connected))
    const decode = Schema.decodeUnknownEither(CampaignAttemptPayload)
    const required = new Set([
      "app_id",
      "app_version",
      "attempt_id",
      "campaign_id",
      "cohort_id",
      "completion_status",
      "user_identifier",
      "user_phone_number",
      "retry_attempt"
    ])
    assert.isTrue(Either.isRight(decode(wire)))
    for (const key of Object.keys(wire)) {
      const { [key]: _, ...without } = wire
      assert.isTrue(Either.isLeft(decode(without)), `${key} absent`)
      assert.strictEqual(Either.isLeft(decode({ ...wire, [key]: null })), required.has(key), `${key} null`)
    }
  })

  it("encodes an inbound call", () => {
    const payload: InboundCallPayload = {
      app_id: connected.app_id,
      app_version: 3,
      deployment_id: DeploymentId.make("dep-0123456789ab"),
      interaction_id: InteractionId.make("20260901-x"),
      user_phone_number: user,
      agent_phone_number: agent,
      duration: 0,
      opt_out: null,
      final_agent_variables: {},
      output_agent_variables: {},
      start_datetime: start,
      end_datetime: start,
      ...noResults,
      interaction_transcript: [],
      metadata: null,
      costs: null
    }
    const at = "2026-09-01T10:00:00.000Z"
    assert.deepStrictEqual(jsonOf(webhookBody(payload)), { ...payload, start_datetime: at, end_datetime: at })
  })

  it("encodes a single outbound call, connected or not", () => {
    const payload: OutboundCallPayload = {
      attempt_id: connected.attempt_id,
      status: "busy",
      channel_info: { channel_type: "v2v", channel_provider: "simulator", agent_phone_number: agent },
      duration: null,
      interaction_id: null,
      failure_reason: "busy",
      opt_out: "stop calling me",
      answer: null,
      final_agent_variables: null,
      webhook_config: { url: "https://hooks.example/", metadata: null },
      ...noResults,
      interaction_transcript: null,
      costs: null
    }
    assert.deepStrictEqual(jsonOf(webhookBody(payload)), { ...payload })
  })
})
