import { assert, describe, it } from "@effect/vitest"
import { CohortFileType, Cohorts, csvLine, csvRows, uploadForm } from "@trunkline/cohorts"
import { NotFound } from "@trunkline/errors"
import { macroTask } from "@trunkline/kernel"
import { propertyRuns } from "@trunkline/kernel/testing"
import { Effect, FastCheck, Fiber, Stream } from "effect"
import {
  bytesOf,
  campaign,
  deployment,
  download,
  failure,
  keptFiles,
  live,
  nothingKept,
  page,
  scope,
  send,
  tell,
  upload,
  usersOf,
  values
} from "./CohortsHarness.js"

describe("Cohorts", () => {
  it.effect("returns cohorts, lists and files for their owner only", () =>
    Effect.gen(function*() {
      const cohorts = yield* Cohorts
      const cohort = yield* upload("name,mobile\nAsha,9876543210\n")
      const id = cohort.cohort_id
      assert.deepStrictEqual(yield* cohorts.get(scope, campaign, id), cohort)
      assert.deepStrictEqual(yield* cohorts.list(scope, campaign, page), { items: [cohort], total: 1 })
      const missing = tell(new NotFound({ resource: "cohort", id }))
      assert.strictEqual(yield* failure(cohorts.get(scope, deployment, id)), missing)
      assert.strictEqual(yield* failure(cohorts.file(scope, deployment, { id, type: "cohort" })), missing)
      assert.deepStrictEqual(yield* cohorts.list(scope, deployment, page), { items: [], total: 0 })
    }).pipe(Effect.provide(live())))

  it.effect("fails to list the cohorts of a missing owner", () => {
    const missing = new NotFound({ resource: "campaign", id: "camp-1" })
    return Effect.gen(function*() {
      assert.strictEqual(yield* failure((yield* Cohorts).list(scope, campaign, page)), tell(missing))
    }).pipe(Effect.provide(live({ owners: { require: () => Effect.fail(missing) } })))
  })

  it.effect("removes the records, users and files of an owner", () =>
    Effect.gen(function*() {
      yield* upload("name,mobile\nAsha,9876543210\n")
      assert.deepStrictEqual(yield* keptFiles, [...CohortFileType.literals])
      yield* (yield* Cohorts).removeOwner(scope, campaign)
      assert.deepStrictEqual(yield* usersOf(campaign), [])
      yield* nothingKept
    }).pipe(Effect.provide(live())))

  const cell = FastCheck.oneof(
    FastCheck.constantFrom("9876543210", "+919876543210", "9876543211", "", "x", "=1", "a,b", "\"", "a\nb"),
    FastCheck.string({ maxLength: 8 })
  )
  const table = FastCheck.array(FastCheck.array(cell, { minLength: 1, maxLength: 4 }), { maxLength: 40 })

  it.effect.prop(
    "makes a user or a rejected row of every row, once and in order",
    [table],
    ([rows]) =>
      Effect.gen(function*() {
        const { cohort_id, result } = yield* upload(["name,mobile\n", ...rows.map(csvLine)].join(""), deployment)
        const walked = yield* usersOf(deployment)
        const rejected = yield* csvRows(
          Stream.encodeText(Stream.make((yield* download(deployment, cohort_id, "rejected_records")).text))
        ).pipe(Stream.runCount)
        assert.strictEqual(result?.total_records, rows.length)
        assert.strictEqual(result?.valid_records, walked.length)
        assert.strictEqual(result?.rejected_records, rejected - 1)
        assert.strictEqual(result?.total_records, walked.length + rejected - 1)
        assert.lengthOf(new Set(walked.map(({ user }) => user.user_phone_number)), walked.length)
        assert.deepStrictEqual(
          walked.map(({ user }) => user.row),
          walked.map(({ user }) => user.row).sort((a, b) => a - b)
        )
      }).pipe(Effect.provide(live())),
    { fastCheck: { numRuns: propertyRuns(30) } }
  )

  it.effect("imports 20,000 rows without blocking the event loop", () =>
    Effect.gen(function*() {
      const lines = Array.from({ length: 20_000 }, (_, index) =>
        index % 10 === 0 ? `Name ${index},12345\n` : `"Name, ${index}",${9800000000 + index}\n`)
      let turns = 0
      const other = yield* Effect.fork(Effect.forever(Effect.tap(macroTask, () =>
        Effect.sync(() => turns++))))
      const cohort = yield* upload(`name,mobile\n${lines.join("")}`)
      yield* Fiber.interrupt(other)
      assert.deepStrictEqual(cohort.result, { total_records: 20_000, valid_records: 18_000, rejected_records: 2000 })
      assert.isAtLeast(turns, 20)
    }).pipe(Effect.provide(live())))

  it.effect("works in memory without other layers", () =>
    Effect.gen(function*() {
      assert.strictEqual((yield* upload("name,mobile\nAsha,9876543210\n")).result?.valid_records, 1)
    }).pipe(Effect.provide(Cohorts.layerMemory)))

  it.effect("reports the issues of the name, the transformation and the file together", () =>
    Effect.gen(function*() {
      const form = uploadForm(values("name,name\n", { name: "", transformation: bytesOf("{}") }))
      const error = yield* Effect.flip(send(form))
      assert.strictEqual(error._tag, "Invalid")
      const locations = error.message.split("; ").map((issue) => issue.replace(/:.*/, ""))
      assert.deepStrictEqual(locations, [
        "body.name",
        "body.cohort_transformation_file.phone_number",
        "body.cohort_file",
        "body.cohort_file"
      ])
      yield* nothingKept
    }).pipe(
      Effect.provide(live({ owners: { admit: () => Effect.succeed({ declaredVariables: null, requiresRows: true }) } }))
    ))
})
