import { assert, describe, it } from "@effect/vitest"
import { CampaignId } from "@trunkline/kernel"
import { Option } from "effect"
import { allow, type GateResult, hold, refuse } from "../../src/contacts/GateResult.js"
import { batchStep, type ContactStep, contactStep } from "../../src/dispatch/ClaimSteps.js"
import { afterDial, initialPace } from "../../src/dispatch/Pace.js"
import { at, campaign, contact, number } from "../../src/testing/Fixtures.js"

const now = at(0).epochMillis
const preparedCampaign = campaign("camp-claim", { status: "active" })
const given = {
  now,
  preparedCampaign,
  current: preparedCampaign,
  gate: allow("allowed", now),
  pace: initialPace(null),
  budget: null
}
const withRate = (attempts_per_second: number) =>
  campaign("camp-claim", { app_config: { ...preparedCampaign.app_config, attempts_per_second } })

describe("batchStep", () => {
  it("claims as many contacts as the rate allows", () => {
    assert.deepStrictEqual(batchStep(given), { _tag: "Claim", limit: 1 })
    const fast = withRate(500)
    const pace = afterDial(initialPace(null), 500, { claimedAt: now - 400, dialledAt: now - 400 })
    const step = batchStep({ ...given, preparedCampaign: fast, current: fast, pace })
    assert.deepStrictEqual(step, { _tag: "Claim", limit: 11 })
    const budget = { currency: "USD", limit: 10_000, spent: 2_000, reserve: 1_500, running: 2 }
    assert.deepStrictEqual(batchStep({ ...given, preparedCampaign: fast, current: fast, pace, budget }), {
      _tag: "Claim",
      limit: 3
    })
  })

  it("claims nothing before the next beat", () => {
    const pace = afterDial(initialPace(null), 0.5, { claimedAt: now, dialledAt: now })
    assert.deepStrictEqual(batchStep({ ...given, pace }), {
      _tag: "Stop",
      blocker: { _tag: "Rate", at: now + 2000 }
    })
  })

  it("claims nothing while the gate holds the campaign", () => {
    const result = hold("campaign_paused", now, null)
    assert.deepStrictEqual(batchStep({ ...given, gate: result }), { _tag: "Stop", blocker: { _tag: "Gate", result } })
  })

  it("claims nothing when the configuration has changed since it was prepared", () => {
    assert.deepStrictEqual(batchStep({ ...given, current: withRate(3) }), { _tag: "Stop", blocker: null })
    assert.deepStrictEqual(batchStep({ ...given, current: campaign("camp-claim", { name: "other" }) }), {
      _tag: "Claim",
      limit: 1
    })
  })
})

describe("contactStep", () => {
  const waiting = contact(CampaignId.make("camp-claim"), 1, { due_at: now - 5 })
  const line = {
    index: 0,
    line: preparedCampaign.app_config.connection_configs[0] ?? assert.fail(),
    connection: Option.none()
  }
  const deferred = (due_at: number, decision: GateResult): ContactStep => ({
    _tag: "Defer",
    deferral: { user_phone_number: number(1), due_at, decision }
  })
  const [busy, unknown] = [hold("on_the_phone", now, now + 30_000), hold("daily_cap", now, null)]
  const [stopped, blocked] = [refuse("stopped", now), refuse("blocked_number", now)]
  const table: ReadonlyArray<readonly [title: string, gate: GateResult, step: ContactStep]> = [
    ["claims an allowed contact", allow("allowed", now), { _tag: "Claim" }],
    ["defers a held contact to the moment of the decision", busy, deferred(now + 30_000, busy)],
    ["keeps the due time of a contact that is held for an unknown time", unknown, deferred(now - 5, unknown)],
    ["finishes a contact that is never called", stopped, { _tag: "Finish", decision: stopped }],
    ["records an attempt for a blocked number", blocked, { _tag: "RecordBlocked", line }]
  ]
  for (const [title, gate, step] of table) {
    it(`${title}`, () => assert.deepStrictEqual(contactStep({ contact: waiting, gate, line }), step))
  }

  it("finishes a blocked number without an attempt when the campaign has no line", () => {
    const step = contactStep({ contact: waiting, gate: blocked, line: undefined })
    assert.deepStrictEqual(step, { _tag: "Finish", decision: blocked })
  })
})
