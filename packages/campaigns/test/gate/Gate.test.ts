import { assert, describe, it } from "@effect/vitest"
import { isOpen, zonePeriod } from "@trunkline/kernel"
import { propertyRuns } from "@trunkline/kernel/testing"
import { FastCheck } from "effect"
import { nextDay } from "../../src/gate/ContactChecks.js"
import { checks, decide } from "../../src/gate/Decide.js"
import type { GateFacts } from "../../src/gate/GateFacts.js"
import { callsWithin, Campaign, dialWindow, explain, GateReason } from "../../src/index.js"
import { day, facts, hour, moment, zones } from "./GateFixtures.js"

const mayDial = ({ campaign, now }: GateFacts) =>
  isOpen(dialWindow(campaign.allowed_schedule), now) && now >= campaign.start_timestamp.epochMillis &&
  now < campaign.end_timestamp.epochMillis

/** The campaign once it has started. */
const started = (campaign: Campaign): Campaign =>
  campaign.status === "scheduled" ? new Campaign({ ...campaign, status: "active" }) : campaign

/** The same contact on another day: not in a call, and without dials on that day. */
const fresh = ({ contact }: GateFacts): GateFacts["contact"] =>
  contact && { ...contact, isOnThePhone: false, dialsToday: 0 }

describe("the gate", () => {
  it.prop("allows no call outside the window and the dates of a campaign, in any zone", [facts], ([given]) => {
    if (decide(given).verdict === "allow") {
      assert.isTrue(mayDial(given))
      assert.strictEqual(given.campaign.status, "active")
      assert.strictEqual(given.line._tag, "Free")
      assert.isAtMost(given.nextDialAt, given.now)
    }
  }, { fastCheck: { numRuns: propertyRuns(2_000) } })

  it.prop("allows a call when no check objects", [facts], ([given]) => {
    const { isAgentCommitted, budget, campaign, dailyCap, line, nextDialAt, now, contact } = given
    const nothing = mayDial(given) && campaign.status === "active" && isAgentCommitted && line._tag === "Free" &&
      nextDialAt <= now && (budget === null || callsWithin(budget) > 0) &&
      (contact === null || (!contact.isStopped && !contact.isBlocked && !contact.isOnThePhone &&
        contact.due_at <= now && contact.dialsToday < dailyCap))
    assert.strictEqual(decide(given).verdict === "allow", nothing)
  }, { fastCheck: { numRuns: propertyRuns(2_000) } })

  it.prop("gives the reason of the first check that objects", [facts], ([given]) => {
    const found = checks.map(({ check }) => check(given)).find((decision) => decision !== null)
    assert.deepStrictEqual(
      decide(given),
      found ?? { verdict: "allow", reason: "allowed", at: given.now, not_before: null }
    )
  }, { fastCheck: { numRuns: propertyRuns(500) } })

  it.prop("never allows a call again after the verdict never", [facts, FastCheck.nat(40 * day)], ([given, later]) => {
    if (decide(given).verdict !== "never") return
    assert.strictEqual(decide({ ...given, now: given.now + later }).verdict, "never")
  }, { fastCheck: { numRuns: propertyRuns(1_000) } })

  it.prop(
    "names the earliest moment of a call, inside the window",
    [facts],
    ([given]) => {
      const decision = decide(given)
      const from = decision.not_before
      if (from === null) return
      assert.isTrue(from > given.now || decision.reason === "campaign_scheduled", "only a start may be now")
      const next = { ...given, now: from, nextDialAt: from, campaign: started(given.campaign) }
      if (["campaign_scheduled", "outside_window", "retry_interval", "new", "daily_cap"].includes(decision.reason)) {
        assert.isTrue(mayDial(next), "the moment is in the window")
      }
      const check = checks.find((one) => one.check(given)?.reason === decision.reason)
      assert.notStrictEqual(
        check?.check({ ...next, contact: fresh(next) })?.reason,
        decision.reason,
        "it holds no longer then"
      )
      for (const part of [0.1, 0.5, 0.9, 0.999]) {
        const before = Math.floor(given.now + (from - given.now) * part)
        const earlier = { ...given, now: before, nextDialAt: Math.max(given.nextDialAt, before) }
        const still = decide({ ...earlier, contact: given.contact })
        if (decision.reason !== "on_the_phone" && decision.reason !== "daily_cap") {
          assert.notStrictEqual(still.verdict, "allow", "no call before")
        }
      }
    },
    { fastCheck: { numRuns: propertyRuns(2_000) } }
  )

  it.prop("postpones a number at its daily cap to the next day in the campaign's zone", [facts], ([given]) => {
    const decision = decide(given)
    if (decision.reason !== "daily_cap" || decision.not_before === null) return
    const { timezone } = given.campaign.allowed_schedule
    const date = (at: number) => Math.floor((at + zonePeriod(timezone, at).offset) / day)
    assert.isAbove(date(decision.not_before), date(given.now))
  }, { fastCheck: { numRuns: propertyRuns(1_500) } })

  it("explains every reason, with the moment where it is known", () => {
    for (const reason of GateReason.literals) {
      assert.match(explain({ reason, not_before: null }), /^[A-Z][^.;]*\.$/)
      assert.match(explain({ reason, not_before: 0 }), /; not before 1970-01-01T00:00:00\.000Z\.$/)
    }
  })
})

describe("nextDay", () => {
  it.prop(
    "begins when the local date changes",
    [moment, FastCheck.constantFrom(...zones)],
    ([at, zone]) => {
      const date = (moment: number) => Math.floor((moment + zonePeriod(zone, moment).offset) / day)
      const next = nextDay(zone, at)
      assert.isAbove(next, at)
      assert.isAtMost(next, at + 25.5 * hour)
      assert.isAbove(date(next), date(at))
      assert.strictEqual(date(next - 1), date(at))
    },
    { fastCheck: { numRuns: propertyRuns(2_000) } }
  )
})
