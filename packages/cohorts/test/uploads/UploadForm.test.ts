import { assert, describe, it } from "@effect/vitest"
import { CohortStore, type UploadForm, type UploadPart } from "@trunkline/cohorts"
import { PhoneNumber } from "@trunkline/kernel"
import { Effect, Option, Stream } from "effect"
import {
  bytesOf,
  campaign,
  deployment,
  finished,
  issues,
  keptFiles,
  live,
  mapping,
  nothingKept,
  scope,
  send
} from "../CohortsHarness.js"

const part = (name: string, content: string | Uint8Array): UploadPart<never> => ({
  name,
  content: Stream.make(typeof content === "string" ? bytesOf(content) : content)
})

const formOf = (...parts: ReadonlyArray<UploadPart<never>>): UploadForm<never> => {
  const queue = [...parts]
  return { next: Effect.sync(() => Option.fromNullable(queue.shift())) }
}

const name = part("name", "June list")
const json = part("cohort_transformation_file", mapping)
const csv = part("cohort_file", "name,mobile\nAsha,9876543210\n")

describe("the form of an upload", () => {
  const orders = [[name, json, csv], [csv, name, json], [json, csv, name], [name, csv, json]]
  for (const parts of orders) {
    it.effect(`accepts the parts in the order ${parts.map((part) => part.name).join(", ")}`, () =>
      Effect.gen(function*() {
        const cohort = yield* finished(yield* send(formOf(...parts)))
        assert.deepStrictEqual(cohort.result, { total_records: 1, valid_records: 1, rejected_records: 0 })
      }).pipe(Effect.provide(live())))
  }

  it.effect("rejects parts that do not exist, before and after the file, so that no stop file becomes a list to call", () =>
    Effect.gen(function*() {
      const misspelt = part("cohort_categroy", "stop_file")
      for (const parts of [[misspelt, name, json, csv], [name, json, csv, misspelt, misspelt]]) {
        const { message } = yield* Effect.flip(send(formOf(...parts)))
        assert.strictEqual(
          message,
          "body.cohort_categroy: is not a known field; did you mean cohort_category?"
        )
      }
      assert.deepStrictEqual(yield* issues(send(formOf(json, csv, part("nam", "June")))), [
        "body.name missing",
        "body.nam value_error"
      ])
    }).pipe(Effect.provide(live())))

  it.effect("uses the first of several parts with the same name", () =>
    Effect.gen(function*() {
      const parts = [name, part("name", "/"), json, part("cohort_transformation_file", "{"), csv]
      const cohort = yield* finished(yield* send(formOf(...parts, part("cohort_file", "other\n"))))
      assert.strictEqual(cohort.name, "June list")
      assert.strictEqual(cohort.result?.valid_records, 1)
    }).pipe(Effect.provide(live())))

  it.effect("reports every missing part", () =>
    Effect.gen(function*() {
      assert.deepStrictEqual(yield* issues(send(formOf())), [
        "body.name missing",
        "body.cohort_transformation_file missing",
        "body.cohort_file missing"
      ])
      assert.deepStrictEqual(yield* issues(send(formOf(name, json))), ["body.cohort_file missing"])
      assert.deepStrictEqual(yield* issues(send(formOf(csv))), [
        "body.name missing",
        "body.cohort_transformation_file missing"
      ])
      yield* nothingKept
    }).pipe(Effect.provide(live())))

  it.effect("reports the issues of a file that came before an invalid field", () =>
    Effect.gen(function*() {
      const bad = formOf(part("cohort_file", "name,name\n"), part("name", ""), json)
      assert.deepStrictEqual(yield* issues(send(bad)), [
        "body.name string_pattern_mismatch",
        "body.cohort_file value_error",
        "body.cohort_file value_error"
      ])
      yield* nothingKept
    }).pipe(Effect.provide(live())))

  it.effect("does not store a file that comes after invalid fields", () => {
    const endless = { name: "cohort_file", content: Stream.concat(csv.content, Stream.die("the rows were read")) }
    return Effect.gen(function*() {
      assert.deepStrictEqual(
        yield* issues(send(formOf(part("name", "/"), json, endless))),
        ["body.name string_pattern_mismatch"]
      )
      assert.deepStrictEqual(yield* keptFiles, [])
    }).pipe(Effect.provide(live()))
  })

  it.effect("rejects too large a field while it arrives", () =>
    Effect.gen(function*() {
      const content = Stream.repeatValue(bytesOf("x".repeat(1000)))
      const error = yield* Effect.flip(send(formOf({ name: "cohort_transformation_file", content })))
      assert.strictEqual(error._tag, "BodyTooLarge")
      yield* nothingKept
    }).pipe(Effect.provide(live())))

  it.effect("stops every number of a stop file, whatever other values its rows lack", () =>
    Effect.gen(function*() {
      const unnamed = part("cohort_file", "name,mobile\n,9876543210\nAsha,98765 43211\nAsha,1\n")
      const cohort = yield* finished(yield* send(formOf(name, json, part("cohort_category", "stop_file"), unnamed)))
      assert.deepStrictEqual(cohort.result, { total_records: 3, valid_records: 2, rejected_records: 1 })
      const store = yield* CohortStore
      const number = PhoneNumber.make("+919876543210")
      assert.deepStrictEqual(yield* store.filterStopped(scope, campaign, [number]), new Set([number]))
    }).pipe(Effect.provide(live())))

  it.effect("accepts stop files for campaigns only, and rejects unknown categories", () =>
    Effect.gen(function*() {
      const stop = part("cohort_category", "stop_file")
      const cohort = yield* finished(yield* send(formOf(name, json, csv, stop)))
      assert.deepStrictEqual([cohort.status, cohort.cohort_category], ["completed", "stop_file"])
      assert.deepStrictEqual(yield* issues(send(formOf(name, json, stop, csv), deployment)), [
        "body.cohort_category value_error"
      ])
      assert.deepStrictEqual(yield* issues(send(formOf(part("cohort_category", "x"), name, json, csv))), [
        "body.cohort_category enum"
      ])
    }).pipe(Effect.provide(live())))
})
