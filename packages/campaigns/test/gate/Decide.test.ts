import { assert, describe, it } from "@effect/vitest"
import { Schema } from "effect"
import { decide } from "../../src/gate/Decide.js"
import type { ContactFacts, GateFacts } from "../../src/gate/GateFacts.js"
import { AllowedSchedule, type Campaign, type GateReason, type GateResult } from "../../src/index.js"
import { budgetOf, campaignOf, day, hour, minute } from "./GateFixtures.js"

describe("decide", () => {
  const open = Schema.decodeUnknownSync(AllowedSchedule)({
    allowed_start_time: "09:00",
    allowed_end_time: "18:00",
    allowed_days: ["Monday", "Tuesday"],
    timezone: "Asia/Kolkata"
  })
  const [monday, tuesday] = [Date.parse("2026-06-15T04:30:00Z"), Date.parse("2026-06-16T04:30:00Z")]
  const dueContact: ContactFacts = {
    due_at: 0,
    since: "new",
    isStopped: false,
    isBlocked: false,
    isOnThePhone: false,
    dialsToday: 0
  }
  const given: GateFacts = {
    now: monday,
    campaign: campaignOf(open, "active", monday - day, monday + 7 * day),
    isAgentCommitted: true,
    line: { _tag: "Free" },
    nextDialAt: 0,
    dailyCap: 2,
    budget: null,
    contact: dueContact
  }
  const status = (name: Campaign["status"]) => ({ campaign: campaignOf(open, name, monday - day, monday + 7 * day) })
  const withContact = (change: Partial<ContactFacts>) => ({ contact: { ...dueContact, ...change } })
  const table: ReadonlyArray<readonly [string, Partial<GateFacts>, GateResult["verdict"], GateReason, number | null]> =
    [
      ["is allowed", {}, "allow", "allowed", null],
      ["knows cancelled campaigns", status("cancelled"), "never", "campaign_cancelled", null],
      ["knows ended campaigns", status("ended"), "never", "campaign_ended", null],
      ["knows campaigns at their end", { now: monday + 7 * day }, "never", "campaign_ended", null],
      ["knows paused campaigns", status("paused"), "not_before", "campaign_paused", null],
      ["keeps a budget", { budget: budgetOf({ spent: 1_000_000 }) }, "not_before", "budget_reached", null],
      [
        "keeps what is set aside for running calls",
        { budget: budgetOf({ spent: 700_000, running: 3 }) },
        "not_before",
        "budget_reached",
        null
      ],
      ["goes on within a budget", { budget: budgetOf({ spent: 700_000, running: 2 }) }, "allow", "allowed", null],
      [
        "tells the budget of a campaign that it has paused",
        { ...status("paused"), budget: budgetOf({ spent: 2_000_000 }) },
        "not_before",
        "budget_reached",
        null
      ],
      ["knows campaigns to come", status("scheduled"), "not_before", "campaign_scheduled", monday],
      [
        "waits for the start and then for the window",
        { campaign: campaignOf(open, "scheduled", monday + 10 * hour, monday + 7 * day) },
        "not_before",
        "campaign_scheduled",
        Date.parse("2026-06-16T03:30:00Z")
      ],
      ["waits for the window", { now: monday + 10 * hour }, "not_before", "outside_window", tuesday - hour],
      [
        "rules a call out when no window opens before the end",
        { now: tuesday + 10 * hour, campaign: campaignOf(open, "active", monday - day, tuesday + day) },
        "never",
        "past_end",
        null
      ],
      ["waits for the agent's version", { isAgentCommitted: false }, "not_before", "agent_version", null],
      [
        "rules a call out without a committed agent when no window opens before the end",
        {
          isAgentCommitted: false,
          now: tuesday + 10 * hour,
          campaign: campaignOf(open, "active", monday - day, tuesday + day)
        },
        "never",
        "past_end",
        null
      ],
      ["keeps the stopped out", withContact({ isStopped: true, isBlocked: true }), "never", "stopped", null],
      [
        "keeps the blocked out",
        { ...withContact({ isBlocked: true }), ...status("paused") },
        "never",
        "blocked_number",
        null
      ],
      [
        "waits for a retry",
        withContact({ due_at: monday + hour, since: "retry_interval" }),
        "not_before",
        "retry_interval",
        monday + hour
      ],
      [
        "moves a retry into the window",
        withContact({ due_at: monday + 9 * hour, since: "retry_interval" }),
        "not_before",
        "retry_interval",
        tuesday - hour
      ],
      [
        "rules out a retry that comes too late",
        {
          ...withContact({ due_at: monday + 6 * day, since: "retry_interval" }),
          campaign: campaignOf(open, "active", monday - day, monday + 6 * day + hour)
        },
        "never",
        "past_end",
        null
      ],
      [
        "postpones a contact in another call",
        withContact({ isOnThePhone: true }),
        "not_before",
        "on_the_phone",
        monday + 30_000
      ],
      ["keeps the daily cap", withContact({ dialsToday: 2 }), "not_before", "daily_cap", tuesday - hour],
      ["knows missing lines", { line: { _tag: "Missing" } }, "not_before", "line_missing", null],
      [
        "waits until a paused line is probed",
        { line: { _tag: "Paused", until: monday + minute } },
        "not_before",
        "line_paused",
        monday + minute
      ],
      ["forgets pauses that are over", { line: { _tag: "Paused", until: monday } }, "allow", "allowed", null],
      ["knows busy lines", { line: { _tag: "Busy", limits: [] } }, "not_before", "no_capacity", null],
      ["keeps the rate", { nextDialAt: monday + 500 }, "not_before", "rate", monday + 500]
    ]
  for (const [name, change, verdict, reason, not_before] of table) {
    it(`it ${name}`, () => {
      const facts = { ...given, ...change }
      const { detail: _, ...decision } = decide(facts)
      assert.deepStrictEqual(decision, { verdict, reason, at: facts.now, not_before })
    })
  }
})
