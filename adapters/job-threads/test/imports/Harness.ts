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
import { StorageSqlite } from "@trunkline/sqlite"
import { Effect, Layer, Option, Stream } from "effect"
import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"

export const scopeOf = (workspace: string) =>
  new Scope({ org_id: OrgId.make("acme"), workspace_id: WorkspaceId.make(workspace) })

export const scope = scopeOf("main")

const owner = { kind: "campaign", id: "camp-1" } as const

/** Paths of a database and of a folder for files, removed with the scope. */
export const temporaryPlace = Effect.map(
  Effect.acquireRelease(
    Effect.sync(() => mkdtempSync(join(tmpdir(), "trunkline-"))),
    (folder) => Effect.sync(() => rmSync(folder, { recursive: true }))
  ),
  (folder) => ({ file: join(folder, "trunkline.db"), files: { folder: join(folder, "files") } })
)
export type Place = Effect.Effect.Success<typeof temporaryPlace>

/** Stores of a place, as their owner opens them. */
export const storesOf = ({ file, files }: Place) =>
  Layer.mergeAll(StorageSqlite.layer({ file }), FilesDisk.layer(files.folder))

/** Cohorts over the present stores, with their importer. */
export const cohortsWith = <E, R>(importer: Layer.Layer<Importer, E, R>) =>
  Cohorts.layer.pipe(
    Layer.provide(Layer.mergeAll(CohortOwners.layerMemory, FileDownload.layerMemory(), Ids.layer)),
    Layer.provideMerge(importer)
  )

/** Uploads a CSV as a cohort, and returns its id while it is being processed. */
export const upload = (csv: string, workspace = scope) =>
  Effect.flatMap(Cohorts, (cohorts) =>
    cohorts.upload(workspace, owner, {
      form: uploadForm({ name: "People", file: Stream.encodeText(Stream.make(csv)), transformation }),
      createdBy: "tests"
    })).pipe(Effect.map(({ cohort_id }) => cohort_id))

/** Number of rows read of a cohort so far; 0 for one that is not being processed. */
export const rowsRead = (id: CohortId) =>
  Effect.map(
    Effect.flatMap(CohortStore, (store) => store.find(scope, owner, id)),
    (cohort) => Option.getOrNull(cohort)?.progress?.total_records ?? 0
  )

/** Everything an import stores but ids and times: counts, contacts, callers found by number, rejected rows. */
export const outcomeOf = (id: CohortId, workspace = scope) =>
  Effect.gen(function*() {
    const cohorts = yield* Cohorts
    const store = yield* CohortStore
    const { failure_reason, result, status } = yield* cohorts.finished(workspace, owner, id)
    const contacts = (yield* walk(workspace)).filter(({ cohort_id }) => cohort_id === id).map(({ user }) => user)
    const callers = yield* Effect.forEach(
      [...contacts.filter(({ row }) => row % 997 === 1).map((user) => user.user_phone_number), unknown],
      (phone) => Effect.map(store.findCaller(workspace, owner, phone), Option.map(({ user }) => user.row))
    )
    const rejected = yield* cohorts.file(workspace, owner, { id, type: "rejected_records" }).pipe(
      Effect.flatMap(({ bytes }) => Stream.mkString(Stream.decodeText(bytes))),
      Effect.catchTag("NotFound", () => Effect.succeed(null))
    )
    return { failure_reason, result, status, contacts, callers, rejected }
  })

const unknown = PhoneNumber.make("+919999999999")

const walk = Effect.fnUntraced(function*(workspace: Scope) {
  const store = yield* CohortStore
  const users: Array<WalkedUser> = []
  for (let after: UserCursor | null = null;;) {
    const page: ReadonlyArray<WalkedUser> = yield* store.usersAfter(workspace, owner, {
      category: "cohort",
      after,
      limit: 5_000
    })
    users.push(...page)
    after = page.at(-1)?.cursor ?? null
    if (after === null || page.length < 5_000) return users
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

/** Rows that need special care: quotes, other scripts, duplicates, and values that are rejected. */
const specialRows: ReadonlyArray<(row: number) => string> = [
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

/** A CSV of so many contacts, every eleventh of them a special row. */
export const csvOf = (rows: number): string =>
  `\uFEFF${header}\r\n${
    Array.from({ length: rows }, (_, row) =>
      (row % 11 === 5 ? specialRows[row % specialRows.length] : undefined)?.(row)
        ?? `u${row},Person ${row},${phone(row)},2026-01-31,${row},`).join("\r\n")
  }\r\n`
