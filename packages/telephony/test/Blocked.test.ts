import { assert, describe, it } from "@effect/vitest"
import { issuesOf } from "@trunkline/errors"
import { BusinessTime, PhoneNumber } from "@trunkline/kernel"
import { virtualTest } from "@trunkline/kernel/testing"
import { BlockedNumbers, BlockNumbers } from "@trunkline/telephony"
import { DateTime, Effect, Either, Schema } from "effect"
import { elsewhere, scope, telephony } from "./Fixtures.js"

const decode = Schema.decodeUnknownEither(BlockNumbers)
const first = PhoneNumber.make("+919876543210")
const second = PhoneNumber.make("+919876543211")

describe("the body that blocks numbers", () => {
  it("accepts E.164 and bare Indian numbers, repeated or not, with or without a reason", () => {
    assert.deepStrictEqual(
      decode({ phone_numbers: ["98765 43210", "+91-98765-43210", "09876543211"] }),
      Either.right({ phone_numbers: [first, first, second], reason: null })
    )
    assert.deepStrictEqual(
      decode({ phone_numbers: [first], reason: "asked" }),
      Either.right({ phone_numbers: [first], reason: "asked" })
    )
  })

  const refused: ReadonlyArray<readonly [string, unknown, ReadonlyArray<string | number>, string]> = [
    ["no number", { phone_numbers: [] }, ["phone_numbers"], "too_short"],
    ["more than a thousand", { phone_numbers: Array(1_001).fill("9876543210") }, ["phone_numbers"], "too_long"],
    ["something else", { phone_numbers: ["9876543210", "call me"] }, ["phone_numbers", 1], "value_error"],
    ["a long reason", { phone_numbers: ["9876543210"], reason: "x".repeat(151) }, ["reason"], "string_too_long"],
    ["nothing", {}, ["phone_numbers"], "missing"]
  ]
  for (const [name, body, loc, type] of refused) {
    it(`rejects ${name} and reports where and why`, () => {
      const issues = issuesOf(Either.getOrThrow(Either.flip(decode(body))), "body")
      const reported = issues.map((issue) => `${issue.loc.join(".")}: ${issue.type}`)
      assert.deepStrictEqual(reported, [`${["body", ...loc].join(".")}: ${type}`])
    })
  }

  it("accepts a thousand numbers", () => {
    const phone_numbers = Array.from({ length: 1_000 }, (_, index) => `98765${String(index).padStart(5, "0")}`)
    assert.isTrue(Either.isRight(decode({ phone_numbers })))
  })
})

describe("blocked numbers", () => {
  virtualTest("keep the date, author and reason of their first entry", () =>
    Effect.gen(function*() {
      const { add, filterBlocked, list } = yield* BlockedNumbers
      const now = yield* BusinessTime.date
      yield* add(scope, { phone_numbers: [first, first], reason: "asked" }, "asha")
      yield* BusinessTime.sleep("1 hour")
      const added = yield* add(scope, { phone_numbers: [second, first], reason: null }, "ravi")
      const later = DateTime.add(now, { hours: 1 })
      const rows = [
        { phone_number: second, reason: null, created_at: later, created_by: "ravi" },
        { phone_number: first, reason: "asked", created_at: now, created_by: "asha" }
      ]
      assert.deepStrictEqual(added, rows)
      assert.deepStrictEqual(yield* list(scope, { limit: 10, offset: 0 }), { items: rows, total: 2 })
      assert.deepStrictEqual(yield* filterBlocked(scope, [first]), new Set([first]))
      assert.deepStrictEqual(yield* filterBlocked(elsewhere, [first]), new Set<PhoneNumber>())
    }).pipe(Effect.provide(telephony())))

  virtualTest(
    "can be called again after removal; an unknown number is not found and not revealed",
    () =>
      Effect.gen(function*() {
        const { add, filterBlocked, remove } = yield* BlockedNumbers
        yield* add(scope, { phone_numbers: [first], reason: null }, "asha")
        yield* remove(scope, first)
        assert.deepStrictEqual(yield* filterBlocked(scope, [first]), new Set<PhoneNumber>())
        const failure = yield* Effect.flip(remove(scope, first))
        assert.deepInclude(failure, { _tag: "NotFound", resource: "blocked number", id: "******3210" })
      }).pipe(Effect.provide(telephony()))
  )
})
