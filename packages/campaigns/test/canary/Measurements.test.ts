import { assert, describe, it } from "@effect/vitest"
import { CanaryArm, OrgId, Scope, uncheckedInstance, WorkspaceId } from "@trunkline/kernel"
import { Attempt, type CallOutcome, type Connected, notConnected } from "@trunkline/telephony"
import { attemptFixture } from "@trunkline/telephony/testing"
import { startedCanary } from "../../src/canary/Canary.js"
import { measure } from "../../src/dispatch/Measurements.js"
import { noRetries } from "../../src/index.js"
import { concludeAttempt } from "../../src/retry/Conclusion.js"
import { at, campaign as fixture } from "../../src/testing/Fixtures.js"
import { campaignBody } from "../Fixtures.js"
import { now, talked } from "../retry/PolicyFixtures.js"

const settings = campaignBody({ canary: { app_version: 2 } }).canary ?? assert.fail()
const canary = startedCanary(settings, { control_version: 1, at: at(0), actor: "test", before: null })
const campaign = fixture("camp-measured", { status: "active", canary })
const ownedCampaign = {
  campaign,
  scope: new Scope({ org_id: OrgId.make("acme"), workspace_id: WorkspaceId.make("main") })
}

/** A call of the canary as it counts: true for a success, null where it says nothing of the version. */
const countOf = (outcome: CallOutcome): boolean | null => {
  const attempt = uncheckedInstance(Attempt, {
    ...attemptFixture("measured"),
    canary: { number: 1, arm: CanaryArm.literals[1] }
  })
  const conclusion = concludeAttempt({ outcome, campaign, counters: noRetries, now })
  return measure({ ownedCampaign, attempt, outcome, counters: noRetries, conclusion })?.isSuccess ?? null
}

const done = talked(60, { agent_done: true })

/** The call, with what happened to it outside of the conversation. */
const doneWith = (changes: Pick<Partial<Connected>, "cut" | "trouble">): CallOutcome =>
  done._tag === "Connected" ? { ...done, ...changes } : assert.fail()

describe("a call of a canary", () => {
  it("counts when a person talked with the agent, or the agent failed in the call", () => {
    assert.isTrue(countOf(done))
    assert.isFalse(countOf(talked(60, {})))
    assert.isFalse(countOf(talked(60, { agent_done: true, fault: "The model is away" })))
  })

  it("does not count when this side stopped, or its line or provider failed", () => {
    const stopped = "internal: the engine stopped during the call"
    const outcomes: ReadonlyArray<CallOutcome> = [
      doneWith({ cut: stopped }),
      doneWith({ trouble: "no sound from the other side" }),
      doneWith({ trouble: "hung up on request" }),
      notConnected("internal", stopped),
      notConnected("internal", "internal: the connection is no longer configured"),
      notConnected("provider_error", "503"),
      notConnected("unknown", null),
      notConnected("no_answer", null)
    ]
    for (const outcome of outcomes) assert.isNull(countOf(outcome), JSON.stringify(outcome))
  })
})
