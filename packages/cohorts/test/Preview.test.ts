import { assert, describe, it } from "@effect/vitest"
import { Effect, Either } from "effect"
import { previewCohort } from "../src/index.js"

const transformation = {
  phone_number: { column_name: "mobile", country_code: "IN" },
  user_identifier: { column_name: "id" },
  app_variables: { name: { column_name: "name" } }
}

describe("a preview of a cohort", () => {
  it.effect("returns the columns and the separator without a transformation", () =>
    Effect.gen(function*() {
      const preview = yield* previewCohort({ csv: "id;mobile\n1;9876543210\n" })
      assert.deepStrictEqual([preview.separator, preview.columns], ["semicolon", ["id", "mobile"]])
      assert.deepStrictEqual([preview.total_records, preview.valid_records, preview.rejected_records], [1, 0, 0])
    }))

  it.effect("reads people as an upload does, and tells why rows are rejected", () =>
    Effect.gen(function*() {
      const csv = "id,name,mobile\n1,Asha,98765 43210\n2,Bilal,12\n3,Chitra,9876543210\n"
      const preview = yield* previewCohort({ csv, cohort_transformation: transformation })
      assert.deepEqual<unknown>(preview.accepted, [
        { user_phone_number: "+919876543210", user_identifier: "1", app_variables: { name: "Asha" }, app_overrides: {} }
      ])
      assert.deepStrictEqual(preview.rejected.map(({ reasons }) => reasons), [
        ["invalid_phone_number"],
        ["duplicate_phone_number"]
      ])
      assert.deepStrictEqual([preview.total_records, preview.valid_records, preview.rejected_records], [3, 1, 2])
    }))

  it.effect("counts all rows, and returns the first twenty of each kind", () =>
    Effect.gen(function*() {
      const rows = Array.from(
        { length: 100 },
        (_, index) => `${index},x,${index % 2 === 0 ? 9_876_500_000 + index : 1}`
      )
      const preview = yield* previewCohort({
        csv: `id,name,mobile\n${rows.join("\n")}\n`,
        cohort_transformation: transformation
      })
      assert.deepStrictEqual([preview.accepted.length, preview.rejected.length], [20, 20])
      assert.deepStrictEqual([preview.valid_records, preview.rejected_records], [50, 50])
    }))

  it.effect("names a column that is missing, and a malformed transformation", () =>
    Effect.gen(function*() {
      const missing = yield* Effect.either(
        previewCohort({ csv: "id,name\n1,x\n", cohort_transformation: transformation })
      )
      assert.include(Either.isLeft(missing) ? missing.left.message : "", "mobile")
      const none = yield* Effect.either(previewCohort({ csv: "id\n1\n", cohort_transformation: { phone: "id" } }))
      assert.isTrue(Either.isLeft(none))
    }))
})
