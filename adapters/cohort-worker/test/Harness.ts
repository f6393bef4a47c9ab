import {
  CohortOwners,
  Cohorts,
  CohortStore,
  FileDownload,
  type Importer,
  uploadForm,
  type UserCursor,
  type WalkedUser
} from "@trunkline/cohorts"
import { FilesDisk } from "@trunkline/files-disk"
import { type CohortId, Ids, OrgId, PhoneNumber, Scope, WorkspaceId } from "@trunkline/kernel"
import { StorageSqlite } from "@trunkline/storage-sqlite"
import { Effect, Layer, Option, Stream } from "effect"
import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"

export const scopeOf = (workspace: string) =>
  new Scope({ org_id: OrgId.make("acme"), workspace_id: WorkspaceId.make(workspace) })

export const scope = scopeOf("main")

const owner = { kind: "campaign", id: "camp-1" } as const

/** A place for a database and files, removed with the scope. */
export const temporaryPlace = Effect.map(
  Effect.acquireRelease(
    Effect.sync(() => mkdtempSync(join(tmpdir(), "trunkline-"))),
    (folder) => Effect.sync(() => rmSync(folder, { recursive: true }))
  ),
  (folder) => ({ file: join(folder, "trunkline.db"), folder: join(folder, "files") })
)
export type Place = Effect.Effect.Success<typeof temporaryPlace>

/** The stores of a place, as their owner has them. */
export const storesOf = ({ file, folder }: Place) =>
  Layer.mergeAll(StorageSqlite.layer({ file }), FilesDisk.layer(folder))

/** Cohorts over the stores that are there, with their importer. */
export const cohortsWith = <E, R>(importer: Layer.Layer<Importer, E, R>) =>
  Cohorts.layer.pipe(
    Layer.provide(Layer.mergeAll(CohortOwners.layerMemory, FileDownload.layerMemory(), Ids.layer)),
    Layer.provideMerge(importer)
  )

/** Adds a cohort of this CSV, and answers its id while it is in processing. */
export const upload = (csv: string, workspace = scope) =>
  Effect.flatMap(Cohorts, (cohorts) =>
    cohorts.upload(workspace, owner, {
      form: uploadForm({ name: "People", file: Stream.encodeText(Stream.make(csv)), transformation }),
      createdBy: "tests"
    })).pipe(Effect.map(({ cohort_id }) => cohort_id))

/** How many rows have been read of a cohort; 0 of one that is not in processing. */
export const rowsRead = (id: CohortId) =>
  Effect.map(
    Effect.flatMap(CohortStore, (store) => store.find(scope, owner, id)),
    (cohort) => Option.getOrNull(cohort)?.progress?.total_records ?? 0
  )

/** All that an import leaves behind, but for ids and times: counts, people, who is found by a number, rejected rows. */
export const outcomeOf = (id: CohortId, workspace = scope) =>
  Effect.gen(function*() {
    const cohorts = yield* Cohorts
    const store = yield* CohortStore
    const { failure_reason, result, status } = yield* cohorts.finished(workspace, owner, id)
    const people = (yield* walk(workspace)).filter(({ cohort_id }) => cohort_id === id).map(({ user }) => user)
    const callers = yield* Effect.forEach(
      [...people.filter(({ row }) => row % 997 === 1).map((user) => user.user_phone_number), unknown],
      (phone) => Effect.map(store.findCaller(workspace, owner, phone), Option.map(({ user }) => user.row))
    )
    const rejected = yield* cohorts.file(workspace, owner, { id, type: "rejected_records" }).pipe(
      Effect.flatMap(({ bytes }) => Stream.mkString(Stream.decodeText(bytes))),
      Effect.catchTag("NotFound", () => Effect.succeed(null))
    )
    return { failure_reason, result, status, people, callers, rejected }
  })

const unknown = PhoneNumber.make("+919999999999")

const walk = Effect.fnUntraced(function*(workspace: Scope) {
  const store = yield* CohortStore
  const all: Array<WalkedUser> = []
  for (let after: UserCursor | null = null;;) {
    const page: ReadonlyArray<WalkedUser> = yield* store.usersAfter(workspace, owner, {
      category: "cohort",
      after,
      limit: 5_000
    })
    all.push(...page)
    after = page.at(-1)?.cursor ?? null
    if (after === null || page.length < 5_000) return all
  }
})

const transformation = new TextEncoder().encode(JSON.stringify({
  phone_number: { column_name: "mobile" },
  user_identifier: { column_name: "id" },
  app_variables: {
    name: { column_name: "name", required: true, transforms: [{ type: "string_strip" }] },
    due: { column_name: "due", transforms: [{ type: "date", output_format: "d MMMM yyyy" }] },
    amount: { column_name: "amount", default: "0", transforms: [{ type: "indian_currency" }] }
  },
  app_overrides: { initial_language_name: { column_name: "language" } }
}))

const header = "id,name,mobile,due,amount,language"

const phone = (row: number) => String(9_800_000_000 + row * 7_919 % 1_000_003)

/** What is peculiar about some rows of a file. */
const peculiar: ReadonlyArray<(row: number) => string> = [
  (row) => `u${row},"Rao, ""Asha""\nsecond line",+91 ${phone(row)},2026-02-01,1234567,Hindi`,
  (row) => `u${row},सुनीता ${row},0${phone(row)},2026-02-28,,Tamil`,
  (row) => `u${row},Again,${phone(row - 1)},2026-02-01,5,`,
  (row) => `u${row - 3},Twin,${phone(row)},2026-02-01,5,`,
  (row) => `u${row},,${phone(row)},2026-02-01,5,`,
  (row) => `u${row},No date,${phone(row)},31/31/2026,5,`,
  (row) => `u${row},No number,12,2026-02-01,5,`,
  (row) => `u${row},Too short,${phone(row)}`,
  (row) => `\r\n,Without id,${phone(row)},2026-02-01,5,`
]

/** A CSV of so many people, every eleventh of them peculiar. */
export const csvOf = (rows: number): string =>
  `\uFEFF${header}\r\n${
    Array.from({ length: rows }, (_, row) =>
      (row % 11 === 5 ? peculiar[row % peculiar.length] : undefined)?.(row)
        ?? `u${row},Person ${row},${phone(row)},2026-01-31,${row},`).join("\r\n")
  }\r\n`
