import { assert, describe, it } from "@effect/vitest"
import {
  Cohort,
  CohortFileType,
  type CohortLimits,
  type CohortOwner,
  CohortOwners,
  Cohorts,
  CohortStore,
  csvLine,
  csvRows,
  fileKey,
  FileStore
} from "@trunkline/cohorts"
import { BodyTooLarge, Invalid, NotFound, RuleViolation } from "@trunkline/errors"
import { type CohortId, Ids, macroTask, OrgId, Scope, Transactions, WorkspaceId } from "@trunkline/kernel"
import {
  type Context,
  Deferred,
  Effect,
  FastCheck,
  Fiber,
  Layer,
  Logger,
  LogLevel,
  Option,
  Ref,
  Schema,
  Stream,
  TestClock
} from "effect"

const scope = new Scope({ org_id: OrgId.make("acme"), workspace_id: WorkspaceId.make("main") })
const campaign: CohortOwner = { kind: "campaign", id: "camp-1" }
const deployment: CohortOwner = { kind: "deployment", id: "dep-1" }
const page = { offset: 0, limit: 10, sort_by: "created_at", sort_order: "desc", search: "" } as const

const bytesOf = (text: string) => new TextEncoder().encode(text)

const mapping = bytesOf(JSON.stringify({
  phone_number: { column_name: "mobile" },
  app_variables: { customer_name: { column_name: "name", required: true } }
}))

const form = (
  csv: string | Uint8Array,
  changes: { readonly name?: string; readonly transformation?: Uint8Array } = {}
) => ({
  name: "June list",
  file: Stream.make(typeof csv === "string" ? bytesOf(csv) : csv),
  transformation: mapping,
  createdBy: "tests",
  ...changes
})

const upload = (csv: string | Uint8Array, owner: CohortOwner = campaign) =>
  Effect.flatMap(Cohorts, (cohorts) => cohorts.upload(scope, owner, form(csv)))

const download = (owner: CohortOwner, id: CohortId, type: CohortFileType) =>
  Effect.gen(function*() {
    const file = yield* (yield* Cohorts).file(scope, owner, { id, type })
    const text = yield* Stream.mkString(Stream.decodeText(file.bytes))
    return { filename: file.filename, contentType: file.contentType, text }
  })

const people = (owner: CohortOwner) =>
  Effect.flatMap(CohortStore, (store) => store.usersAfter(scope, owner, { after: null, limit: 1_000_000 }))

/** Cohorts in memory, with parts of their ports or their limits changed. */
const live = (
  { files = {}, limits = {}, owners = {}, store = {} }: {
    readonly files?: Partial<Context.Tag.Service<FileStore>>
    readonly limits?: Partial<CohortLimits>
    readonly owners?: Partial<Context.Tag.Service<CohortOwners>>
    readonly store?: Partial<Context.Tag.Service<CohortStore>>
  } = {}
) =>
  Cohorts.layerWith(limits).pipe(
    Layer.provide(Layer.mergeAll(
      Layer.effect(FileStore, Effect.map(FileStore, (memory) => ({ ...memory, ...files }))),
      Layer.effect(CohortOwners, Effect.map(CohortOwners, (memory) => ({ ...memory, ...owners }))),
      Layer.effect(CohortStore, Effect.map(CohortStore, (memory) => ({ ...memory, ...store })))
    )),
    Layer.provideMerge(Layer.mergeAll(
      CohortStore.layerMemory,
      FileStore.layerMemory,
      CohortOwners.layerMemory,
      Transactions.layerMemory,
      Ids.layerSeeded("cohorts")
    ))
  )

const issues = <A, E, R>(uploading: Effect.Effect<A, E, R>) =>
  Effect.map(
    Effect.flip(uploading),
    (error) => error instanceof Invalid ? error.issues.map(({ loc, type }) => `${loc.join(".")} ${type}`) : error
  )

/** The failure of an effect, as its kind and what it says; spans put errors into proxies, which are never equal. */
const failure = <A, E extends { readonly _tag: string; readonly message: string }, R>(
  failing: Effect.Effect<A, E, R>
) => Effect.map(Effect.flip(failing), tell)
const tell = ({ _tag, message }: { readonly _tag: string; readonly message: string }) => `${_tag}: ${message}`

/** The id that the first upload of a test takes. */
const firstId = Effect.provide(Effect.flatMap(Ids, (ids) => ids.cohortId), Ids.layerSeeded("cohorts"))

const keptFiles = Effect.gen(function*() {
  const files = yield* FileStore
  const id = yield* firstId
  return yield* Effect.filter(
    CohortFileType.literals,
    (type) => Effect.map(files.read(fileKey(id, type)), Option.isSome)
  )
})

const nothingKept = Effect.gen(function*() {
  assert.strictEqual((yield* (yield* CohortStore).list(scope, campaign, page)).total, 0)
  assert.deepStrictEqual(yield* keptFiles, [])
})

describe("Cohorts.upload", () => {
  it.effect("answers the completed cohort, with its counts, and tells the owner", () =>
    Effect.gen(function*() {
      yield* TestClock.setTime(Date.UTC(2026, 0, 31))
      const heard = yield* Ref.make<ReadonlyArray<CohortOwner>>([])
      const completed = (_: Scope, owner: CohortOwner) => Ref.update(heard, (owners) => [...owners, owner])
      const cohort = yield* upload("name,mobile\nAsha,98765 43210\n,9876543211\n\nRavi,+14155552671\n").pipe(
        Effect.provide(live({ owners: { completed } }))
      )
      assert.match(cohort.cohort_id, /^coh-[0-9a-f]{12}$/)
      assert.deepStrictEqual(Schema.encodeSync(Cohort)(cohort), {
        name: "June list",
        cohort_id: cohort.cohort_id,
        status: "completed",
        source_type: "file_upload",
        created_by: "tests",
        created_at: "2026-01-31T00:00:00.000Z",
        updated_at: "2026-01-31T00:00:00.000Z",
        result: { total_records: 3, valid_records: 2, rejected_records: 1 },
        updated_by: null,
        failure_reason: null
      })
      assert.deepStrictEqual(yield* heard, [campaign])
    }))

  it.effect("keeps the people in the order of their rows", () =>
    Effect.gen(function*() {
      const { cohort_id } = yield* upload("name,mobile\nAsha,98765 43210\n,9876543211\n\nRavi,+14155552671\n")
      const walked = yield* people(campaign)
      assert.deepStrictEqual(walked.map(({ user }) => `${user.row} ${user.user_phone_number}`), [
        "1 +919876543210",
        "3 +14155552671"
      ])
      assert.deepStrictEqual(walked.map(({ user }) => user.agent_variables.customer_name), ["Asha", "Ravi"])
      assert.deepStrictEqual(walked.map((one) => one.cohort_id), [cohort_id, cohort_id])
    }).pipe(Effect.provide(live())))

  it.effect("keeps the file and the transformation byte for byte, and the rejected rows in their order", () =>
    Effect.gen(function*() {
      const csv = "\ufeffname,mobile\r\n\"A, \"\"B\"\"\",9876543210\r\n=x,123\r\n,9876543210\r\nC,9876543210,more\r\n"
      const { cohort_id } = yield* upload(csv)
      const file = (type: CohortFileType) => download(campaign, cohort_id, type)
      const kept = yield* (yield* Cohorts).file(scope, campaign, { id: cohort_id, type: "cohort" })
      const bytes = Array.from(yield* Stream.runCollect(kept.bytes)).flatMap((part) => Array.from(part))
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
          "C,\"9876543210,more\",column_count_mismatch",
          ""
        ].join("\n")
      })
    }).pipe(Effect.provide(live())))

  it.effect("the file of rejected rows is a header when none was rejected", () =>
    Effect.gen(function*() {
      const { cohort_id } = yield* upload("name,mobile\nAsha,9876543210\n")
      assert.strictEqual(
        (yield* download(campaign, cohort_id, "rejected_records")).text,
        "name,mobile,rejected_reason\n"
      )
    }).pipe(Effect.provide(live())))

  it.effect("a file whose rows are all rejected is completed", () =>
    Effect.gen(function*() {
      const cohort = yield* upload("name,mobile\n,1\n,2\n")
      assert.strictEqual(cohort.status, "completed")
      assert.deepStrictEqual(cohort.result, { total_records: 2, valid_records: 0, rejected_records: 2 })
    }).pipe(Effect.provide(live())))

  it.effect("a deployment takes a file without rows, a campaign does not", () =>
    Effect.gen(function*() {
      const cohort = yield* upload("name,mobile\n", deployment)
      assert.deepStrictEqual(cohort.result, { total_records: 0, valid_records: 0, rejected_records: 0 })
      assert.deepStrictEqual(yield* issues(upload("name,mobile\n\n")), ["body.cohort_file value_error"])
    }).pipe(Effect.provide(live())))

  const refused: ReadonlyArray<
    readonly [what: string, form: ReturnType<typeof form>, ...issues: ReadonlyArray<string>]
  > = [
    ["an empty name", form("name,mobile\na,9876543210", { name: " " }), "body.name string_pattern_mismatch"],
    ["a long name", form("name,mobile\na,9876543210", { name: "x".repeat(51) }), "body.name string_pattern_mismatch"],
    [
      "a bad transformation",
      form("name,mobile\na,9876543210", { transformation: bytesOf("{}") }),
      "body.cohort_transformation_file.phone_number missing"
    ],
    [
      "a bad name and a bad transformation",
      form("name,mobile\na,9876543210", { name: "a/b", transformation: bytesOf("{") }),
      "body.name string_pattern_mismatch",
      "body.cohort_transformation_file json_invalid"
    ],
    ["an empty file", form(""), "body.cohort_file value_error"],
    ["a file of blank lines", form("\n\n"), "body.cohort_file value_error"],
    ["a header that is not UTF-8", form(Uint8Array.of(0xff, 0x0a)), "body.cohort_file value_error"],
    ["a header with an open quote", form("\"name,mobile\n"), "body.cohort_file value_error"],
    ["a header with a name twice", form("name,mobile,name\na,9876543210,b"), "body.cohort_file value_error"],
    [
      "columns that are not there",
      form("id,phone\n1,9876543210"),
      "body.cohort_transformation_file.phone_number.column_name value_error",
      "body.cohort_transformation_file.app_variables.customer_name.column_name value_error"
    ]
  ]
  for (const [what, bad, ...expected] of refused) {
    it.effect(`refuses ${what}, and keeps nothing`, () =>
      Effect.gen(function*() {
        const cohorts = yield* Cohorts
        assert.deepStrictEqual(yield* issues(cohorts.upload(scope, campaign, bad)), expected)
        yield* nothingKept
      }).pipe(Effect.provide(live())))
  }

  it.effect("refuses variables that the agent does not declare", () => {
    const admit = () => Effect.succeed({ declaredVariables: ["balance"], requiresRows: true })
    return Effect.gen(function*() {
      assert.deepStrictEqual(yield* issues(upload("name,mobile\na,9876543210")), [
        "body.cohort_transformation_file.app_variables.customer_name value_error"
      ])
    }).pipe(Effect.provide(live({ owners: { admit } })))
  })

  const ended = RuleViolation.at(["body"], "The campaign has ended")

  it.effect("does not read the file of an owner that takes no cohort", () =>
    Effect.gen(function*() {
      const cohorts = yield* Cohorts
      const unread = { ...form(""), file: Stream.die("the file was read") }
      assert.strictEqual(yield* failure(cohorts.upload(scope, campaign, unread)), tell(ended))
    }).pipe(Effect.provide(live({ owners: { admit: () => Effect.fail(ended) } }))))

  it.effect("keeps nothing when the owner ends while the file is read", () => {
    let asked = 0
    const admit = () =>
      Effect.suspend(() =>
        asked++ === 0 ? Effect.succeed({ declaredVariables: null, requiresRows: true }) : Effect.fail(ended)
      )
    return Effect.gen(function*() {
      assert.strictEqual(yield* failure(upload("name,mobile\na,9876543210")), tell(ended))
      yield* nothingKept
    }).pipe(Effect.provide(live({ owners: { admit } })))
  })
})

describe("Cohorts.upload, when something goes wrong", () => {
  const failed = (cohort: Cohort, reason: RegExp) =>
    Effect.gen(function*() {
      assert.strictEqual(cohort.status, "failed")
      assert.isNull(cohort.result)
      assert.match(cohort.failure_reason ?? "", reason)
      assert.deepStrictEqual(yield* people(campaign), [])
      assert.deepStrictEqual(yield* (yield* Cohorts).get(scope, campaign, cohort.cohort_id), cohort)
    })

  const rows = (count: number) =>
    ["name,mobile\n", ...Array.from({ length: count }, (_, index) => `Name ${index},${9800000000 + index}\n`)].join("")

  it.effect("a file that breaks after its header makes the cohort failed, and says nothing of what stood there", () =>
    Effect.gen(function*() {
      const cohort = yield* upload(`${rows(2000)}"9876543210"x,1\n`)
      yield* failed(cohort, /quote/)
      assert.notInclude(cohort.failure_reason ?? "", "98765")
      assert.deepStrictEqual(yield* keptFiles, ["cohort", "cohort_transformation"])
      const missing = yield* failure(download(campaign, cohort.cohort_id, "rejected_records"))
      assert.match(missing, /^NotFound/)
    }).pipe(Effect.provide(live())))

  it.effect("bytes that are not UTF-8 make the cohort failed", () =>
    Effect.gen(function*() {
      const csv = Uint8Array.of(...bytesOf("name,mobile\nAsh"), 0xe9, ...bytesOf(",9876543210\n"))
      yield* failed(yield* upload(csv), /UTF-8/)
    }).pipe(Effect.provide(live())))

  it.effect("more rows than allowed make the cohort failed; as many as allowed do not", () =>
    Effect.gen(function*() {
      yield* failed(yield* upload(rows(2001)), /more than 2000 rows/)
      assert.strictEqual((yield* upload(rows(2000))).result?.valid_records, 2000)
    }).pipe(Effect.provide(live({ limits: { rows: 2000 } }))))

  it.effect("more bytes than allowed are refused while they come in, and nothing is kept", () =>
    Effect.gen(function*() {
      const cohorts = yield* Cohorts
      const endless = { ...form(""), file: Stream.repeatValue(bytesOf("name,mobile\n")) }
      const error = yield* failure(cohorts.upload(scope, campaign, endless))
      assert.strictEqual(error, tell(new BodyTooLarge({ limitBytes: 1000 })))
      yield* nothingKept
    }).pipe(Effect.provide(live({ limits: { bytes: 1000 } }))))

  it.effect("a file of exactly the allowed size is taken", () =>
    Effect.gen(function*() {
      assert.strictEqual((yield* upload("name,mobile\nA,9876543210\n")).status, "completed")
    }).pipe(Effect.provide(live({ limits: { bytes: 25 } }))))

  it.effect("the failure of the file's stream is handed on, and nothing is kept", () =>
    Effect.gen(function*() {
      const cohorts = yield* Cohorts
      const cut = { ...form(""), file: Stream.concat(Stream.make(bytesOf("name,mobile\n")), Stream.fail("cut")) }
      assert.strictEqual(yield* Effect.flip(cohorts.upload(scope, campaign, cut)), "cut")
      yield* nothingKept
    }).pipe(Effect.provide(live())))

  it.effect("a store that breaks makes the cohort failed", () =>
    Effect.gen(function*() {
      yield* failed(yield* upload(rows(3)), /could not be stored/)
    }).pipe(
      Effect.provide(live({ store: { addUsers: () => Effect.die(new Error("disk full")) } })),
      Logger.withMinimumLogLevel(LogLevel.None)
    ))

  it.effect("a processing that takes too long makes the cohort failed", () =>
    Effect.gen(function*() {
      const begun = yield* Deferred.make<void>()
      const addUsers = () => Effect.zipRight(Deferred.succeed(begun, undefined), Effect.never)
      yield* Effect.gen(function*() {
        const uploading = yield* Effect.fork(upload(rows(3)))
        yield* Deferred.await(begun)
        yield* TestClock.adjust("10 minutes")
        yield* failed(yield* Fiber.join(uploading), /too long/)
      }).pipe(Effect.provide(live({ store: { addUsers } })))
    }))

  it.effect("an upload that is interrupted while it is processed leaves a failed cohort", () =>
    Effect.gen(function*() {
      const begun = yield* Deferred.make<void>()
      const addUsers = () => Effect.zipRight(Deferred.succeed(begun, undefined), Effect.never)
      yield* Effect.gen(function*() {
        const uploading = yield* Effect.fork(upload(rows(3)))
        yield* Deferred.await(begun)
        yield* Fiber.interrupt(uploading)
        yield* failed(yield* (yield* Cohorts).get(scope, campaign, yield* firstId), /interrupted/)
      }).pipe(Effect.provide(live({ store: { addUsers } })))
    }))

  it.effect("an upload that is interrupted while its file comes in leaves nothing", () =>
    Effect.gen(function*() {
      const begun = yield* Deferred.make<void>()
      const file = Stream.concat(
        Stream.make(bytesOf("name,mobile\n")),
        Stream.execute(Effect.zipRight(Deferred.succeed(begun, undefined), Effect.never))
      )
      const cohorts = yield* Cohorts
      const uploading = yield* Effect.fork(cohorts.upload(scope, campaign, { ...form(""), file }))
      yield* Deferred.await(begun)
      yield* Fiber.interrupt(uploading)
      yield* nothingKept
    }).pipe(Effect.provide(live())))

  it.effect("a cohort whose owner is removed meanwhile is gone with it", () =>
    Effect.gen(function*() {
      const cohorts = yield* Cohorts
      const store = yield* CohortStore
      const removing = yield* Effect.fork(
        Effect.repeat(Effect.yieldNow(), {
          until: () => Effect.map(store.progress(scope, campaign), ({ processing }) => processing > 0)
        }).pipe(Effect.zipRight(cohorts.removeOwner(scope, campaign)))
      )
      const error = yield* failure(upload(rows(20_000)))
      yield* Fiber.join(removing)
      assert.strictEqual(error, tell(new NotFound({ resource: "campaign", id: "camp-1" })))
      yield* nothingKept
    }).pipe(Effect.provide(live())))
})

describe("Cohorts", () => {
  it.effect("finds cohorts, lists and files for their owner alone", () =>
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

  it.effect("lists nothing of an owner that does not exist", () => {
    const missing = new NotFound({ resource: "campaign", id: "camp-1" })
    return Effect.gen(function*() {
      assert.strictEqual(yield* failure((yield* Cohorts).list(scope, campaign, page)), tell(missing))
    }).pipe(Effect.provide(live({ owners: { require: () => Effect.fail(missing) } })))
  })

  it.effect("removing an owner removes records, people and files", () =>
    Effect.gen(function*() {
      yield* upload("name,mobile\nAsha,9876543210\n")
      assert.deepStrictEqual(yield* keptFiles, [...CohortFileType.literals])
      yield* (yield* Cohorts).removeOwner(scope, campaign)
      assert.deepStrictEqual(yield* people(campaign), [])
      yield* nothingKept
    }).pipe(Effect.provide(live())))

  const cell = FastCheck.oneof(
    FastCheck.constantFrom("9876543210", "+919876543210", "9876543211", "", "x", "=1", "a,b", "\"", "a\nb"),
    FastCheck.string({ maxLength: 8 })
  )
  const table = FastCheck.array(FastCheck.array(cell, { minLength: 1, maxLength: 4 }), { maxLength: 40 })

  it.effect.prop(
    "every row is either a person or a rejected row, once and in order",
    [table],
    ([rows]) =>
      Effect.gen(function*() {
        const { cohort_id, result } = yield* upload(["name,mobile\n", ...rows.map(csvLine)].join(""), deployment)
        const walked = yield* people(deployment)
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
    { fastCheck: { numRuns: 30 } }
  )

  it.effect("takes 20,000 rows, and lets others run in between", () =>
    Effect.gen(function*() {
      const lines = Array.from({ length: 20_000 }, (_, index) =>
        index % 10 === 0 ? `Name ${index},12345\n` : `"Name, ${index}",${9800000000 + index}\n`)
      let turns = 0
      const other = yield* Effect.fork(Effect.forever(Effect.tap(macroTask, () =>
        Effect.sync(() => turns++))))
      const cohort = yield* upload(`name,mobile\n${lines.join("")}`)
      yield* Fiber.interrupt(other)
      assert.deepStrictEqual(cohort.result, { total_records: 20_000, valid_records: 18_000, rejected_records: 2000 })
      assert.isAbove(turns, 20)
    }).pipe(Effect.provide(live())), 10_000)

  it.effect("works in memory with nothing else", () =>
    Effect.gen(function*() {
      assert.strictEqual((yield* upload("name,mobile\nAsha,9876543210\n")).result?.valid_records, 1)
    }).pipe(Effect.provide(Cohorts.layerMemory)))
})
