import { CohortOwners, Cohorts, CohortStore, FileDownload, Importer, uploadForm } from "@trunkline/cohorts"
import { FilesDisk } from "@trunkline/files-disk"
import { CohortWorker } from "@trunkline/job-threads"
import { Ids, OrgId, Scope, WorkspaceId } from "@trunkline/kernel"
import { StorageSqlite } from "@trunkline/sqlite"
import Database from "better-sqlite3"
import { Effect, Layer, Option, Stream } from "effect"
import { format, parse } from "fast-csv"
import { parsePhoneNumberFromString } from "libphonenumber-js/max"
import { createReadStream, createWriteStream } from "node:fs"
import { mkdir, rm } from "node:fs/promises"
import { join } from "node:path"
import { monitorEventLoopDelay } from "node:perf_hooks"

/** Outcome of an import. */
export interface Imported {
  readonly seconds: number
  readonly valid: number
  readonly rejected: number
  readonly peakMegabytes: number
  /** CPU time of the process, its start included, in seconds. */
  readonly cpuSeconds: number
  /** Longest delay of a due timer, in milliseconds; null when not measured. */
  readonly longestLag: number | null
  /** Duration of a caller lookup after the import, in microseconds; null when not measured. */
  readonly lookup: number | null
}

type Counts = Pick<Imported, "longestLag" | "lookup" | "rejected" | "seconds" | "valid">

const [, , name = "", folder = ""] = process.argv
const people = join(folder, "people.csv")

/** A plain import as an application would write it: streams and libraries, unique indexes, a transaction every 1,000 rows. */
const plain = async (): Promise<Counts> => {
  const file = join(folder, "plain.db")
  const database = new Database(file)
  database.pragma("journal_mode = WAL")
  database.pragma("synchronous = NORMAL")
  database.exec(`create table people (row integer primary key, phone text not null, identifier text, variables text);
    create unique index people_by_phone on people (phone);
    create unique index people_by_identifier on people (identifier)`)
  const insert = database.prepare("insert or ignore into people values (?, ?, ?, ?)")
  const rejected = format({ headers: true })
  rejected.pipe(createWriteStream(join(folder, "plain.rejected.csv")))
  const started = performance.now()
  let row = 0
  let valid = 0
  database.exec("begin")
  for await (const record of createReadStream(people).pipe(parse({ headers: true }))) {
    row++
    const phone = parsePhoneNumberFromString(record.mobile.trim(), "IN")
    const { id, mobile: _, ...variables } = record
    const isNew = phone?.isValid() === true &&
      insert.run(row, phone.number, id, JSON.stringify(variables)).changes === 1
    if (isNew) valid++
    else if (!rejected.write({ ...record, rejected_reason: "invalid_phone_number" })) {
      await new Promise((resolve) => rejected.once("drain", resolve))
    }
    if (row % 1000 === 0) database.exec("commit; begin")
  }
  database.exec("commit")
  rejected.end()
  const seconds = (performance.now() - started) / 1000
  return { seconds, valid, rejected: row - valid, longestLag: null, lookup: null }
}

const scope = new Scope({ org_id: OrgId.make("bench"), workspace_id: WorkspaceId.make("bench") })
const owner = { kind: "deployment", id: "bench" } as const
const transformation = new TextEncoder().encode(JSON.stringify({
  phone_number: { column_name: "mobile" },
  user_identifier: { column_name: "id" },
  app_variables: Object.fromEntries(
    ["name", "city", "balance", "due", "language", "plan"].map((column) => [column, { column_name: column }])
  )
}))

const upload = Effect.gen(function*() {
  const cohorts = yield* Cohorts
  const store = yield* CohortStore
  const delay = monitorEventLoopDelay({ resolution: 1 })
  delay.enable()
  const started = performance.now()
  const file = Stream.orDie(Stream.fromAsyncIterable(createReadStream(people), (error) => error))
  const form = uploadForm({ name: "Bench", transformation, file })
  const { cohort_id } = yield* cohorts.upload(scope, owner, { form, createdBy: "bench" })
  const { failure_reason, result } = yield* cohorts.finished(scope, owner, cohort_id)
  const seconds = (performance.now() - started) / 1000
  const longestLag = Math.round(delay.max / 1e6)
  if (result === null) return yield* Effect.dieMessage(failure_reason ?? "no result")
  const walked = yield* store.usersAfter(scope, owner, { category: "cohort", after: null, limit: 2000 })
  const before = performance.now()
  for (const { user } of walked) {
    const found = yield* store.findCaller(scope, owner, user.user_phone_number)
    if (Option.isNone(found)) return yield* Effect.dieMessage("a caller was not found")
  }
  const lookup = 1000 * (performance.now() - before) / walked.length
  return { seconds, valid: result.valid_records, rejected: result.rejected_records, longestLag, lookup }
})

const trunkline = async (importer: "thread" | "here"): Promise<Counts> => {
  const data = join(folder, importer)
  await mkdir(data)
  const database = join(data, "trunkline.db")
  const files = join(data, "files")
  const stores = Layer.mergeAll(
    StorageSqlite.layer({ file: database }),
    FilesDisk.layer(files),
    CohortOwners.layerMemory,
    FileDownload.layerMemory(),
    Ids.layer
  )
  const layer = Cohorts.layer.pipe(
    Layer.provide(
      importer === "here" ? Importer.layer : CohortWorker.layer({ place: { file: database, files: { folder: files } } })
    ),
    Layer.provideMerge(stores)
  )
  const counts = await Effect.runPromise(Effect.provide(upload, layer))
  await rm(data, { recursive: true })
  return counts
}

const contenders: Readonly<Record<string, () => Promise<Counts>>> = {
  "fast-csv, libphonenumber-js, an insert for each row": plain,
  "trunkline, in a worker thread": () => trunkline("thread"),
  "trunkline, in place": () => trunkline("here")
}

const contender = contenders[name]
if (contender === undefined) throw new Error(`There is no contender ${name}`)
const counts = await contender()
const { maxRSS, systemCPUTime, userCPUTime } = process.resourceUsage()
process.send?.(
  {
    ...counts,
    peakMegabytes: Math.round(maxRSS / 1000),
    cpuSeconds: (userCPUTime + systemCPUTime) / 1e6
  } satisfies Imported
)
process.disconnect?.()
