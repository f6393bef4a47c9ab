import { assert } from "@effect/vitest"
import {
  type Cohort,
  CohortFileType,
  type CohortLimits,
  cohortLimits,
  type CohortOwner,
  CohortOwners,
  Cohorts,
  CohortStore,
  CurrentCohortLimits,
  FileDownload,
  fileKey,
  FileStore,
  Importer,
  type UploadForm,
  uploadForm,
  type UploadValues
} from "@trunkline/cohorts"
import { Invalid } from "@trunkline/errors"
import { type CohortId, Ids, OrgId, Scope, Transactions, WorkspaceId } from "@trunkline/kernel"
import { type Context, Effect, Layer, Option, Stream } from "effect"

export const scope = new Scope({ org_id: OrgId.make("acme"), workspace_id: WorkspaceId.make("main") })
export const campaign: CohortOwner = { kind: "campaign", id: "camp-1" }
export const deployment: CohortOwner = { kind: "deployment", id: "dep-1" }
export const page = { offset: 0, limit: 10, sort_by: "created_at", sort_order: "desc", search: "" } as const

export const bytesOf = (text: string) => new TextEncoder().encode(text)

export const mapping = bytesOf(JSON.stringify({
  phone_number: { column_name: "mobile" },
  app_variables: { customer_name: { column_name: "name", required: true } }
}))

export const values = (
  csv: string | Uint8Array,
  changes: Partial<UploadValues<never>> = {}
): UploadValues<never> => ({
  name: "June list",
  file: Stream.make(typeof csv === "string" ? bytesOf(csv) : csv),
  transformation: mapping,
  ...changes
})

/** Uploads a form; returns the accepted cohort. */
export const send = <E>(form: UploadForm<E>, owner: CohortOwner = campaign) =>
  Effect.flatMap(Cohorts, (cohorts) => cohorts.upload(scope, owner, { form, createdBy: "tests" }))

/** Uploads a CSV; returns the cohort after its processing. */
export const upload = (csv: string | Uint8Array, owner: CohortOwner = campaign) =>
  Effect.flatMap(send(uploadForm(values(csv)), owner), (cohort) => finished(cohort, owner))

export const finished = ({ cohort_id }: Cohort, owner: CohortOwner = campaign) =>
  Effect.flatMap(Cohorts, (cohorts) => cohorts.finished(scope, owner, cohort_id))

export const download = (owner: CohortOwner, id: CohortId, type: CohortFileType) =>
  Effect.gen(function*() {
    const file = yield* (yield* Cohorts).file(scope, owner, { id, type })
    const text = yield* Stream.mkString(Stream.decodeText(file.bytes))
    return { filename: file.filename, contentType: file.contentType, text }
  })

export const usersOf = (owner: CohortOwner) =>
  Effect.flatMap(
    CohortStore,
    (store) => store.usersAfter(scope, owner, { category: "cohort", after: null, limit: 1_000_000 })
  )

type Store = Context.Tag.Service<CohortStore>

interface Changes {
  readonly importer?: typeof Importer.layer | Layer.Layer<Importer>
  readonly limits?: Partial<CohortLimits>
  readonly owners?: Partial<Context.Tag.Service<CohortOwners>>
  readonly store?: Partial<Store> | ((inner: Store) => Partial<Store>)
}

/** Cohorts over the given stores, with changes to ports or limits. */
export const service = ({ importer = Importer.layer, limits = {}, owners = {}, store = {} }: Changes = {}) =>
  Cohorts.layer.pipe(
    Layer.provide(importer),
    Layer.provide(Layer.mergeAll(
      Layer.effect(CohortOwners, Effect.map(CohortOwners, (inner) => ({ ...inner, ...owners }))),
      Layer.effect(
        CohortStore,
        Effect.map(CohortStore, (inner) => ({ ...inner, ...(typeof store === "function" ? store(inner) : store) }))
      ),
      Layer.succeed(CurrentCohortLimits, { ...cohortLimits, ...limits })
    ))
  )

/** An importer that never completes. */
export const never = Layer.succeed(Importer, { run: () => Effect.never })

/** Cohorts in memory. */
export const live = ({ downloads, ...changes }: Changes & { readonly downloads?: Downloads } = {}) =>
  Layer.provideMerge(service(changes), stores(downloads))

type Downloads = Readonly<Record<string, Uint8Array>>

/** The stores of cohorts, and the files to download. */
export const stores = (downloads?: Downloads) =>
  Layer.mergeAll(
    CohortStore.layerMemory,
    FileStore.layerMemory,
    CohortOwners.layerMemory,
    FileDownload.layerMemory(downloads),
    Transactions.layerMemory,
    Ids.layerSeeded("cohorts")
  )

export const issues = <A, E, R>(uploading: Effect.Effect<A, E, R>) =>
  Effect.map(
    Effect.flip(uploading),
    (error) => error instanceof Invalid ? error.issues.map(({ loc, type }) => `${loc.join(".")} ${type}`) : error
  )

/** The failure of an effect as text, because spans wrap errors in proxies, which are never equal. */
export const failure = <A, E extends { readonly _tag: string; readonly message: string }, R>(
  failing: Effect.Effect<A, E, R>
) => Effect.map(Effect.flip(failing), tell)
export const tell = ({ _tag, message }: { readonly _tag: string; readonly message: string }) => `${_tag}: ${message}`

/** The id of the first upload of a test. */
export const firstId = Effect.provide(Effect.flatMap(Ids, (ids) => ids.cohortId), Ids.layerSeeded("cohorts"))

export const keptFiles = Effect.gen(function*() {
  const files = yield* FileStore
  const id = yield* firstId
  return yield* Effect.filter(
    CohortFileType.literals,
    (type) => Effect.map(files.read(fileKey(id, type)), Option.isSome)
  )
})

/** Waits until the files of removed cohorts are deleted. */
export const swept = Effect.flatMap(
  CohortStore,
  (store) => Effect.repeat(Effect.zipRight(Effect.yieldNow(), store.expectedIds), { until: (ids) => ids.length === 0 })
)

export const nothingKept = Effect.gen(function*() {
  yield* swept
  assert.strictEqual((yield* (yield* CohortStore).list(scope, campaign, page)).total, 0)
  assert.deepStrictEqual(yield* keptFiles, [])
  assert.deepStrictEqual(yield* (yield* CohortStore).expectedIds, [])
})
