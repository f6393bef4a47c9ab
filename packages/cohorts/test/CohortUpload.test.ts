import { assert, describe, it } from "@effect/vitest"
import {
  Cohort,
  type CohortFileType,
  type CohortOwner,
  Cohorts,
  noProgress,
  uploadForm,
  type UploadValues
} from "@trunkline/cohorts"
import { RuleViolation } from "@trunkline/errors"
import type { Scope } from "@trunkline/kernel"
import { Effect, Ref, Schema, Stream, TestClock } from "effect"
import {
  bytesOf,
  campaign,
  deployment,
  download,
  failure,
  finished,
  issues,
  live,
  mapping,
  nothingKept,
  scope,
  send,
  tell,
  upload,
  usersOf,
  values
} from "./CohortsHarness.js"

describe("Cohorts.upload", () => {
  it.effect("returns a processing cohort, completes it with its counts, and notifies the owner", () =>
    Effect.gen(function*() {
      yield* TestClock.setTime(Date.UTC(2026, 0, 31))
      const notified = yield* Ref.make<ReadonlyArray<CohortOwner>>([])
      const completed = (_: Scope, owner: CohortOwner) => Ref.update(notified, (owners) => [...owners, owner])
      const { accepted, cohort } = yield* Effect.gen(function*() {
        const csv = "name,mobile\nAsha,98765 43210\n,9876543211\n\nRavi,+14155552671\n"
        const accepted = yield* send(uploadForm(values(csv)))
        return { accepted, cohort: yield* finished(accepted) }
      }).pipe(Effect.provide(live({ owners: { completed } })))
      assert.strictEqual(accepted.status, "processing")
      assert.deepStrictEqual(accepted.progress, noProgress)
      assert.match(cohort.cohort_id, /^coh-[0-9a-f]{12}$/)
      assert.deepStrictEqual(Schema.encodeSync(Cohort)(cohort), {
        name: "June list",
        cohort_id: cohort.cohort_id,
        cohort_category: "cohort",
        status: "completed",
        progress: null,
        source_type: "file_upload",
        created_by: "tests",
        created_at: "2026-01-31T00:00:00.000Z",
        updated_at: "2026-01-31T00:00:00.000Z",
        separator: "comma",
        timezone: "Asia/Kolkata",
        result: { total_records: 3, valid_records: 2, rejected_records: 1 },
        updated_by: null,
        failure_reason: null
      })
      assert.deepStrictEqual(yield* notified, [campaign])
    }))

  it.effect("stores the users in the order of their rows", () =>
    Effect.gen(function*() {
      const { cohort_id } = yield* upload("name,mobile\nAsha,98765 43210\n,9876543211\n\nRavi,+14155552671\n")
      const walked = yield* usersOf(campaign)
      assert.deepStrictEqual(walked.map(({ user }) => `${user.row} ${user.user_phone_number}`), [
        "1 +919876543210",
        "3 +14155552671"
      ])
      assert.deepStrictEqual(walked.map(({ user }) => user.agent_variables.customer_name), ["Asha", "Ravi"])
      assert.deepStrictEqual(walked.map((one) => one.cohort_id), [cohort_id, cohort_id])
    }).pipe(Effect.provide(live())))

  it.effect("stores the file and the transformation byte for byte, and the rejected rows in their order", () =>
    Effect.gen(function*() {
      const csv = "\ufeffname,mobile\r\n\"A, \"\"B\"\"\",9876543210\r\n=x,123\r\n,9876543210\r\nC,9876543210,more\r\n"
      const { cohort_id } = yield* upload(csv)
      const file = (type: CohortFileType) => download(campaign, cohort_id, type)
      const storedFile = yield* (yield* Cohorts).file(scope, campaign, { id: cohort_id, type: "cohort" })
      const bytes = Array.from(yield* Stream.runCollect(storedFile.bytes)).flatMap((part) => Array.from(part))
      assert.deepStrictEqual(bytes, Array.from(bytesOf(csv)))
      assert.deepStrictEqual(yield* file("cohort_transformation"), {
        filename: `${cohort_id}_cohort_transformation.json`,
        contentType: "application/json",
        text: new TextDecoder().decode(mapping)
      })
      assert.deepStrictEqual(yield* file("rejected_records"), {
        filename: `${cohort_id}_rejected_records.csv`,
        contentType: "text/csv; charset=utf-8",
        text: [
          "name,mobile,rejected_reason",
          "'=x,123,invalid_phone_number",
          ",9876543210,missing_required:customer_name",
          "C,9876543210,more,,column_count_mismatch",
          ""
        ].join("\n")
      })
    }).pipe(Effect.provide(live())))

  it.effect("writes only a header when no row is rejected", () =>
    Effect.gen(function*() {
      const { cohort_id } = yield* upload("name,mobile\nAsha,9876543210\n")
      assert.strictEqual(
        (yield* download(campaign, cohort_id, "rejected_records")).text,
        "name,mobile,rejected_reason\n"
      )
    }).pipe(Effect.provide(live())))

  it.effect("completes a cohort whose rows are all rejected", () =>
    Effect.gen(function*() {
      const cohort = yield* upload("name,mobile\n,1\n,2\n")
      assert.strictEqual(cohort.status, "completed")
      assert.deepStrictEqual(cohort.result, { total_records: 2, valid_records: 0, rejected_records: 2 })
    }).pipe(Effect.provide(live())))

  it.effect("accepts a file without rows for a deployment, but not for a campaign", () =>
    Effect.gen(function*() {
      const cohort = yield* upload("name,mobile\n", deployment)
      assert.deepStrictEqual(cohort.result, { total_records: 0, valid_records: 0, rejected_records: 0 })
      assert.deepStrictEqual(yield* issues(upload("name,mobile\n\n")), ["body.cohort_file value_error"])
    }).pipe(Effect.provide(live())))

  const invalid: ReadonlyArray<
    readonly [title: string, form: UploadValues<never>, ...issues: ReadonlyArray<string>]
  > = [
    ["an empty name", values("name,mobile\na,9876543210", { name: " " }), "body.name string_pattern_mismatch"],
    ["a long name", values("name,mobile\na,9876543210", { name: "x".repeat(51) }), "body.name string_pattern_mismatch"],
    [
      "a bad transformation",
      values("name,mobile\na,9876543210", { transformation: bytesOf("{}") }),
      "body.cohort_transformation_file.phone_number missing"
    ],
    [
      "a bad name and a bad transformation",
      values("name,mobile\na,9876543210", { name: "a/b", transformation: bytesOf("{") }),
      "body.name string_pattern_mismatch",
      "body.cohort_transformation_file json_invalid"
    ],
    ["an empty file", values(""), "body.cohort_file value_error"],
    ["a file of blank lines", values("\n\n"), "body.cohort_file value_error"],
    ["a header that is not UTF-8", values(Uint8Array.of(0xff, 0x0a)), "body.cohort_file value_error"],
    ["a header with an open quote", values("\"name,mobile\n"), "body.cohort_file value_error"],
    ["a header with a repeated name", values("name,mobile,name\na,9876543210,b"), "body.cohort_file value_error"],
    [
      "missing columns",
      values("id,phone\n1,9876543210"),
      "body.cohort_transformation_file.phone_number.column_name value_error",
      "body.cohort_transformation_file.app_variables.customer_name.column_name value_error"
    ]
  ]
  for (const [title, form, ...expected] of invalid) {
    it.effect(`rejects ${title}, and stores nothing`, () =>
      Effect.gen(function*() {
        assert.deepStrictEqual(yield* issues(send(uploadForm(form))), expected)
        yield* nothingKept
      }).pipe(Effect.provide(live())))
  }

  it.effect("rejects variables that the agent does not declare", () => {
    const admit = () => Effect.succeed({ declaredVariables: ["balance"], requiresRows: true })
    return Effect.gen(function*() {
      assert.deepStrictEqual(yield* issues(upload("name,mobile\na,9876543210")), [
        "body.cohort_transformation_file.app_variables.customer_name value_error"
      ])
    }).pipe(Effect.provide(live({ owners: { admit } })))
  })

  const ended = RuleViolation.at(["body"], "The campaign has ended")

  it.effect("does not read the file if the owner accepts no cohort", () =>
    Effect.gen(function*() {
      const unread = uploadForm({ ...values(""), file: Stream.die("the file was read") })
      assert.strictEqual(yield* failure(send(unread)), tell(ended))
    }).pipe(Effect.provide(live({ owners: { admit: () => Effect.fail(ended) } }))))

  it.effect("stores nothing if the owner ends while the file is read", () => {
    let requests = 0
    const admit = () =>
      Effect.suspend(() =>
        requests++ === 0 ? Effect.succeed({ declaredVariables: null, requiresRows: true }) : Effect.fail(ended)
      )
    return Effect.gen(function*() {
      assert.strictEqual(yield* failure(upload("name,mobile\na,9876543210")), tell(ended))
      yield* nothingKept
    }).pipe(Effect.provide(live({ owners: { admit } })))
  })
})
