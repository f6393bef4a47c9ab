import { assert, describe, it } from "@effect/vitest"
import { type Cohort, CohortFromUrl, Cohorts, CohortStream } from "@trunkline/cohorts"
import { WebAddressRules } from "@trunkline/kernel"
import { Effect, Layer, Schema } from "effect"
import {
  bytesOf,
  campaign,
  deployment,
  download,
  finished,
  issues,
  live,
  nothingKept,
  scope,
  usersOf
} from "../CohortsHarness.js"

const url = "https://files.example.com/june.csv?signature=s3cret"
const mapping = { phone_number: { column_name: "mobile" }, app_variables: { name: { column_name: "name" } } }
const decodeUrlBody = Schema.decodeUnknownSync(CohortFromUrl)
const decodeStreamBody = Schema.decodeUnknownSync(CohortStream)

const fetch = (changes: Record<string, unknown> = {}, owner = campaign) =>
  Effect.flatMap(Cohorts, (cohorts) =>
    cohorts.fetch(scope, owner, {
      createdBy: "tests",
      body: decodeUrlBody({ name: "June", source: { url }, cohort_transformation: mapping, ...changes })
    }))

const stream = (users: ReadonlyArray<unknown>, changes: Record<string, unknown> = {}, owner = campaign) =>
  Effect.flatMap(
    Cohorts,
    (cohorts) =>
      cohorts.stream(scope, owner, { createdBy: "tests", body: decodeStreamBody({ name: "June", users, ...changes }) })
  )

const failed = (cohort: Cohort, reason: string) => {
  assert.deepStrictEqual([cohort.status, cohort.failure_reason, cohort.result], ["failed", reason, null])
}

describe("a cohort from a URL", () => {
  it.effect("is downloaded and processed like an upload", () =>
    Effect.gen(function*() {
      const accepted = yield* fetch()
      assert.deepStrictEqual([accepted.status, accepted.source_type], ["processing", "pre_signed_url"])
      const cohort = yield* finished(accepted)
      assert.deepStrictEqual(cohort.result, { total_records: 2, valid_records: 1, rejected_records: 1 })
      assert.strictEqual(
        (yield* download(campaign, cohort.cohort_id, "cohort")).text,
        "name,mobile\nAsha,9876543210\n,1\n"
      )
      assert.deepStrictEqual(
        JSON.parse((yield* download(campaign, cohort.cohort_id, "cohort_transformation")).text),
        mapping
      )
    }).pipe(Effect.provide(live({ downloads: { [url]: bytesOf("name,mobile\nAsha,9876543210\n,1\n") } }))))

  it.effect("fails with a reason without the URL when the file cannot be downloaded", () =>
    Effect.gen(function*() {
      failed(yield* finished(yield* fetch()), "The file could not be fetched: HTTP 404")
    }).pipe(Effect.provide(live())))

  it.effect("fails when the file is too large, has no rows or does not fit the transformation", () => {
    const tryFile = (csv: string, limits = {}) =>
      Effect.flatMap(fetch(), finished).pipe(Effect.provide(live({ downloads: { [url]: bytesOf(csv) }, limits })))
    return Effect.gen(function*() {
      failed(yield* tryFile("name,mobile\nAsha,9876543210\n", { bytes: 10 }), "The file is larger than 10 bytes")
      assert.match((yield* tryFile("name,mobile\n")).failure_reason ?? "", /at least one row/)
      assert.match((yield* tryFile("name,phone\na,b\n")).failure_reason ?? "", /mobile/)
    })
  })

  it.effect("is rejected at once for an invalid address, transformation or category", () =>
    Effect.gen(function*() {
      const wrong = { source: { url: "ftp://x" }, cohort_transformation: {}, cohort_category: "stop_file" }
      assert.deepStrictEqual(yield* issues(fetch(wrong, deployment)), [
        "body.source.url url_parsing",
        "body.cohort_category value_error",
        "body.cohort_transformation.phone_number missing"
      ])
      assert.deepStrictEqual(yield* issues(fetch({ source: { url: "http://a.example" } })), [
        "body.source.url url_parsing"
      ])
      yield* nothingKept
    }).pipe(Effect.provide(live())))

  it.effect("accepts http URLs where the embedder allows them", () =>
    Effect.gen(function*() {
      const accepted = yield* fetch({ source: { type: "pre_signed_url", url: "http://a.example/x" } })
      assert.strictEqual(accepted.status, "processing")
    }).pipe(
      Effect.provide(Layer.provide(live(), Layer.succeed(WebAddressRules, { allowInsecureUrls: true })))
    ))
})

describe("a cohort of users in the request", () => {
  const asha = {
    user_phone_number: "98765 43210",
    user_identifier: "u-1",
    app_variables: { name: "Asha, \"A\"\nB", "due date": "=1+1" },
    app_overrides: { initial_language_name: "Hindi" }
  }

  it.effect("equals an upload of the same users", () =>
    Effect.gen(function*() {
      const cohort = yield* Effect.flatMap(
        stream([asha, { user_phone_number: "+14155552671" }, { user_phone_number: "12" }]),
        finished
      )
      assert.deepStrictEqual([cohort.source_type, cohort.status], ["stream", "completed"])
      assert.deepStrictEqual(cohort.result, { total_records: 3, valid_records: 2, rejected_records: 1 })
      const walked: ReadonlyArray<unknown> = (yield* usersOf(campaign)).map(({ user }) => user)
      assert.deepStrictEqual(walked, [
        {
          row: 1,
          user_phone_number: "+919876543210",
          user_identifier: "u-1",
          agent_variables: { name: "Asha, \"A\"\nB", "due date": "=1+1" },
          app_overrides: { initial_language_name: "Hindi" }
        },
        {
          row: 2,
          user_phone_number: "+14155552671",
          user_identifier: "+14155552671",
          agent_variables: {},
          app_overrides: {}
        }
      ])
      assert.strictEqual(
        (yield* download(campaign, cohort.cohort_id, "rejected_records")).text,
        "user_phone_number,user_identifier,app_variables.name,app_variables.due date,"
          + "app_overrides.initial_language_name,rejected_reason\n12,,,,,invalid_phone_number\n"
      )
    }).pipe(Effect.provide(live())))

  it.effect("is rejected for overrides that no call can use, with their users", () =>
    Effect.gen(function*() {
      const issueList = yield* issues(stream([
        { user_phone_number: "9876543210", app_overrides: { initial_language_name: "hi-IN" } },
        { user_phone_number: "9876543211", app_overrides: { initial_language_name: "Hindee" } },
        { user_phone_number: "9876543212", app_overrides: { initial_bot_message: "Dear {{name" } },
        { user_phone_number: "9876543213", app_overrides: { initial_bot_message: "Dear {name}}" } }
      ]))
      assert.deepStrictEqual(issueList, [
        "body.users.1.app_overrides.initial_language_name value_error",
        "body.users.2.app_overrides.initial_bot_message value_error",
        "body.users.3.app_overrides.initial_bot_message value_error"
      ])
    }).pipe(Effect.provide(live())))

  it.effect("has no separator, and its languages have their English names", () =>
    Effect.gen(function*() {
      const cohort = yield* finished(
        yield* stream([{ user_phone_number: "9876543210", app_overrides: { initial_language_name: "hi-IN" } }])
      )
      assert.isNull(cohort.separator)
      assert.deepStrictEqual((yield* usersOf(campaign)).map(({ user }) => user.app_overrides), [
        { initial_language_name: "Hindi" }
      ])
    }).pipe(Effect.provide(live())))

  it.effect("accepts a thousand users", () =>
    Effect.gen(function*() {
      const users = Array.from({ length: 1000 }, (_, index) => ({ user_phone_number: String(9_800_000_000 + index) }))
      const cohort = yield* Effect.flatMap(stream(users, {}, deployment), (one) => finished(one, deployment))
      assert.strictEqual(cohort.result?.valid_records, 1000)
    }).pipe(Effect.provide(live())))

  it.effect("is rejected for variables that the agent does not declare, with the user", () => {
    const admit = () => Effect.succeed({ declaredVariables: ["name"], requiresRows: true })
    return Effect.gen(function*() {
      assert.deepStrictEqual(yield* issues(stream([{ user_phone_number: "1" }, asha])), [
        "body.users.1.app_variables.due date value_error"
      ])
      yield* nothingKept
    }).pipe(Effect.provide(live({ owners: { admit } })))
  })

  it.effect("is rejected for more variables than a file may have columns", () =>
    Effect.gen(function*() {
      const app_variables = Object.fromEntries(Array.from({ length: 600 }, (_, index) => [`v${index}`, "x"]))
      assert.deepStrictEqual(yield* issues(stream([{ user_phone_number: "1", app_variables }])), [
        "body.users value_error"
      ])
    }).pipe(Effect.provide(live())))

  it.effect("is rejected for names and values that a file cannot hold, with their users", () =>
    Effect.gen(function*() {
      const number = { user_phone_number: "9876543210" }
      const odd = [
        { ...number, app_variables: { "": "x", " a ": "x", ["v".repeat(257)]: "x", ok: "x" } },
        { ...number, app_variables: { a: "nul\0" } },
        {
          ...number,
          app_variables: Object.fromEntries(Array.from({ length: 3 }, (_, at) => [`v${at}`, "x".repeat(60_000)]))
        }
      ]
      assert.deepStrictEqual(yield* issues(stream(odd)), [
        "body.users.0.app_variables. value_error",
        "body.users.0.app_variables. a  value_error",
        `body.users.0.app_variables.${"v".repeat(256)} value_error`,
        "body.users.1 value_error",
        "body.users.2 value_error"
      ])
      yield* nothingKept
    }).pipe(Effect.provide(live())))

  const bodies: ReadonlyArray<readonly [title: string, body: unknown]> = [
    ["no users", { name: "June", users: [] }],
    ["more than a thousand users", { name: "June", users: Array(1001).fill({ user_phone_number: "9876543210" }) }],
    ["a user without a number", { name: "June", users: [{ user_identifier: "x" }] }],
    ["an override of another name", {
      name: "June",
      users: [{ user_phone_number: "1", app_overrides: { initial_mood: "x" } }]
    }],
    ["a bad name", { name: "a/b", users: [asha] }]
  ]
  for (const [title, body] of bodies) {
    it(`has an invalid body with ${title}`, () => {
      const options = { errors: "all", onExcessProperty: "error" } as const
      assert.isTrue(Schema.decodeUnknownEither(CohortStream, options)(body)._tag === "Left")
    })
  }
})
