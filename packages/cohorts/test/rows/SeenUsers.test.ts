import { assert, describe, it } from "@effect/vitest"
import { parseTransformation } from "@trunkline/cohorts"
import { PhoneNumber } from "@trunkline/kernel"
import { Either, FastCheck } from "effect"
import { checkRow } from "../../src/rows/RowCheck.js"
import { compileRowPlan } from "../../src/rows/RowPlan.js"
import { SeenUsers } from "../../src/rows/SeenUsers.js"

const planFor = (header: ReadonlyArray<string>, json: object) =>
  Either.getOrThrow(
    Either.flatMap(
      parseTransformation(new TextEncoder().encode(JSON.stringify(json)), null),
      (transformation) => compileRowPlan(transformation, header)
    )
  )

const plan = planFor(["mobile", "id", "name"], {
  phone_number: { column_name: "mobile" },
  user_identifier: { column_name: "id" },
  app_variables: { customer_name: { column_name: "name", required: true } }
})

describe("SeenUsers", () => {
  const claimAll = (rows: ReadonlyArray<ReadonlyArray<string>>) => {
    const seenUsers = new SeenUsers()
    return rows.map((cells) =>
      Either.match(Either.flatMap(checkRow(plan, 1, cells), (checked) => seenUsers.claim(checked)), {
        onLeft: (reasons) => reasons.join(";"),
        onRight: () => "valid"
      })
    )
  }

  it("accepts the first row with a number, in any format", () =>
    assert.deepStrictEqual(
      claimAll([["9876543210", "", "A"], ["+91 98765-43210", "", "B"]]),
      ["valid", "duplicate_phone_number"]
    ))

  it("accepts the first row with an identifier, if the row has one", () =>
    assert.deepStrictEqual(
      claimAll([
        ["9876543210", "c-1", "A"],
        ["9876543211", "c-1", "B"],
        ["9876543210", "c-1", "C"],
        ["9876543212", "", "D"],
        ["9876543213", "", "E"]
      ]),
      ["valid", "duplicate_user_identifier", "duplicate_phone_number;duplicate_user_identifier", "valid", "valid"]
    ))

  it("accepts a default identifier in any number of rows", () => {
    const seenUsers = new SeenUsers()
    const shared = planFor(["p", "id"], {
      phone_number: { column_name: "p" },
      user_identifier: { column_name: "id", default: "guest" }
    })
    for (const phone of ["9876543210", "9876543211"]) {
      const user = Either.flatMap(checkRow(shared, 1, [phone, ""]), (checked) => seenUsers.claim(checked))
      assert.strictEqual(Either.getOrThrow(user).user_identifier, "guest")
    }
  })

  it("reserves nothing for rejected rows", () =>
    assert.deepStrictEqual(
      claimAll([
        ["9876543210", "c-1", ""],
        ["9876543210", "c-1", "B"],
        ["9876543211", "c-1", "C"],
        ["9876543211", "c-2", "D"],
        ["9876543211", "c-3", "E"],
        ["9876543212", "c-3", "F"]
      ]),
      [
        "missing_required:customer_name",
        "valid",
        "duplicate_user_identifier",
        "valid",
        "duplicate_phone_number",
        "valid"
      ]
    ))

  it.prop(
    "accepts exactly the first valid row with a number or identifier",
    [FastCheck.array(FastCheck.tuple(FastCheck.integer({ min: 0, max: 5 }), FastCheck.integer({ min: 0, max: 5 })))],
    ([pairs]) => {
      const outcomes = claimAll(pairs.map(([phone, id]) => [`987654321${phone}`, `c-${id}`, "A"]))
      const validPairs = pairs.filter((_, index) => outcomes[index] === "valid")
      assert.lengthOf(new Set(validPairs.map(([phone]) => phone)), validPairs.length)
      assert.lengthOf(new Set(validPairs.map(([, id]) => id)), validPairs.length)
      pairs.forEach(([phone, id], index) => {
        const before = pairs.slice(0, index).filter((_, earlier) => outcomes[earlier] === "valid")
        const isTaken = before.some((pair) => pair[0] === phone || pair[1] === id)
        assert.strictEqual(outcomes[index] === "valid", !isTaken)
      })
    }
  )

  const rowOf = (phone: string, identifier: string | null) => {
    const user_phone_number = PhoneNumber.make(phone)
    const user_identifier = identifier ?? phone
    return { identifier, user: { row: 1, user_phone_number, user_identifier, agent_variables: {}, app_overrides: {} } }
  }

  it("distinguishes tens of thousands of numbers and identifiers, with any seed", () => {
    for (const seed of [0, 1, -1, 0x7fffffff]) {
      const seenUsers = new SeenUsers(seed)
      const reasons = Array.from({ length: 40_000 }, (_, index) => {
        const number = index % 20_000 * 7
        const claimed = seenUsers.claim(rowOf(`+${1_000_000 + number}`, `c-${number}`))
        return Either.isRight(claimed) ? 0 : claimed.left.length
      })
      assert.deepStrictEqual(reasons, [...Array<number>(20_000).fill(0), ...Array<number>(20_000).fill(2)])
    }
  })

  it("accepts the longest and the shortest numbers", () => {
    const numbers = [
      "+1000000",
      "+999999999999999",
      "+999999999999998",
      "+100000000000000",
      "+4294967296",
      "+8589934592"
    ]
    const seenUsers = new SeenUsers()
    for (const number of numbers) assert.isTrue(Either.isRight(seenUsers.claim(rowOf(number, null))), number)
    for (const number of numbers) assert.isTrue(Either.isLeft(seenUsers.claim(rowOf(number, null))), number)
  })

  it("distinguishes identifiers of any length and any code units", () => {
    const odd = [
      "a",
      "a\0",
      "\0",
      "ÿ",
      "\u07ff",
      "\u0800",
      "\uffff",
      "\ufffd",
      "\ud800",
      "\udc00",
      "\ud83d\ude00",
      "é",
      "e\u0301",
      "x".repeat(65_535),
      "x".repeat(65_536),
      "y".repeat(200_000),
      `${"y".repeat(199_999)}z`,
      "अ".repeat(50_000)
    ]
    const seenUsers = new SeenUsers()
    odd.forEach((identifier, index) =>
      assert.isTrue(Either.isRight(seenUsers.claim(rowOf(`+9198765000${10 + index}`, identifier))), `${index}`)
    )
    odd.forEach((identifier, index) =>
      assert.deepStrictEqual(
        Either.getOrThrow(Either.flip(seenUsers.claim(rowOf(`+9198765001${10 + index}`, identifier)))),
        ["duplicate_user_identifier"]
      )
    )
  })

  it.prop("remembers exactly the given identifiers", [
    FastCheck.array(FastCheck.string({ unit: "binary", minLength: 1, maxLength: 4 }), { maxLength: 200 }),
    FastCheck.integer()
  ], ([identifiers, seed]) => {
    const seenUsers = new SeenUsers(seed)
    const identifierSet = new Set<string>()
    identifiers.forEach((identifier, index) => {
      const isNew = Either.isRight(seenUsers.claim(rowOf(`+91987650${1000 + index}`, identifier)))
      assert.strictEqual(isNew, !identifierSet.has(identifier))
      identifierSet.add(identifier)
    })
  })
})
