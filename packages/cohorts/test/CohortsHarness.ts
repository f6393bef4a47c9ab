import { assert } from "@effect/vitest"
import {
  CohortFileType,
  type CohortLimits,
  type CohortOwner,
  CohortOwners,
  Cohorts,
  CohortStore,
  fileKey,
  FileStore
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

export const form = (
  csv: string | Uint8Array,
  changes: { readonly name?: string; readonly transformation?: Uint8Array } = {}
) => ({
  name: "June list",
  file: Stream.make(typeof csv === "string" ? bytesOf(csv) : csv),
  transformation: mapping,
  createdBy: "tests",
  ...changes
})

export const upload = (csv: string | Uint8Array, owner: CohortOwner = campaign) =>
  Effect.flatMap(Cohorts, (cohorts) => cohorts.upload(scope, owner, form(csv)))

export const download = (owner: CohortOwner, id: CohortId, type: CohortFileType) =>
  Effect.gen(function*() {
    const file = yield* (yield* Cohorts).file(scope, owner, { id, type })
    const text = yield* Stream.mkString(Stream.decodeText(file.bytes))
    return { filename: file.filename, contentType: file.contentType, text }
  })

export const people = (owner: CohortOwner) =>
  Effect.flatMap(CohortStore, (store) => store.usersAfter(scope, owner, { after: null, limit: 1_000_000 }))

/** Cohorts in memory, with parts of their ports or their limits changed. */
export const live = (
  { limits = {}, owners = {}, store = {} }: {
    readonly limits?: Partial<CohortLimits>
    readonly owners?: Partial<Context.Tag.Service<CohortOwners>>
    readonly store?: Partial<Context.Tag.Service<CohortStore>>
  } = {}
) =>
  Cohorts.layerWith(limits).pipe(
    Layer.provide(Layer.mergeAll(
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

export const issues = <A, E, R>(uploading: Effect.Effect<A, E, R>) =>
  Effect.map(
    Effect.flip(uploading),
    (error) => error instanceof Invalid ? error.issues.map(({ loc, type }) => `${loc.join(".")} ${type}`) : error
  )

/** The failure of an effect, as its kind and what it says; spans put errors into proxies, which are never equal. */
export const failure = <A, E extends { readonly _tag: string; readonly message: string }, R>(
  failing: Effect.Effect<A, E, R>
) => Effect.map(Effect.flip(failing), tell)
export const tell = ({ _tag, message }: { readonly _tag: string; readonly message: string }) => `${_tag}: ${message}`

/** The id that the first upload of a test takes. */
export const firstId = Effect.provide(Effect.flatMap(Ids, (ids) => ids.cohortId), Ids.layerSeeded("cohorts"))

export const keptFiles = Effect.gen(function*() {
  const files = yield* FileStore
  const id = yield* firstId
  return yield* Effect.filter(
    CohortFileType.literals,
    (type) => Effect.map(files.read(fileKey(id, type)), Option.isSome)
  )
})

export const nothingKept = Effect.gen(function*() {
  assert.strictEqual((yield* (yield* CohortStore).list(scope, campaign, page)).total, 0)
  assert.deepStrictEqual(yield* keptFiles, [])
})
