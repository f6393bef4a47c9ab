import { assert, describe } from "@effect/vitest"
import { NotificationRules } from "@trunkline/notifications"
import { Effect } from "effect"
import { board_id, create, FakeServices, itWithProcess, nine, scope, sleepUntil, start } from "../Fixtures.js"

const minute = 60_000
const day = 24 * 60 * minute

let calls = 10
const growing = () =>
  Effect.sync(() => ({
    columns: [{ name: "team" }, { name: "calls" }],
    rows: [["north", calls += 2], ["south", 1]],
    truncated: false
  }))

describe("the second report of a rule", () => {
  itWithProcess(
    "states the change against the first one, also after the rule has been changed",
    () =>
      Effect.gen(function*() {
        yield* start
        const rule = yield* create()
        yield* sleepUntil(nine + minute)
        yield* (yield* NotificationRules).patch(scope, board_id, rule.rule_id, { name: "Renamed" })
        yield* sleepUntil(nine + day + minute)
        const [first, second] = (yield* FakeServices).mails
        assert.notInclude(first?.text, "last report")
        assert.include(second?.subject, "Renamed")
        assert.include(second?.text, "+2 (+15 %) against the last report, of 2026-01-01 09:00 IST, which had 13.")
      }),
    { outcome: growing }
  )
})

describe("the link to the board", () => {
  itWithProcess("is the address that the host gives for the board of the rule", () =>
    Effect.gen(function*() {
      yield* start
      yield* create()
      yield* sleepUntil(nine + minute)
      const [mail] = (yield* FakeServices).mails
      assert.include(mail?.html, `<a href="https://calls.example.in/acme/main/${board_id}">`)
    }), {
    boardUrl: ({ org_id, workspace_id }, board) => `https://calls.example.in/${org_id}/${workspace_id}/${board}`
  })

  itWithProcess("is absent when there is no such page", () =>
    Effect.gen(function*() {
      yield* start
      yield* create()
      yield* sleepUntil(nine + minute)
      assert.notInclude((yield* FakeServices).mails[0]?.html, "<a ")
    }), { boardUrl: () => null })
})
