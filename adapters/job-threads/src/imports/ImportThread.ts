import { type CohortLimits, CohortResult, ImportFailed, type ImportTask } from "@trunkline/cohorts"
import { CohortId, describeCause, Scope } from "@trunkline/kernel"
import { type RequestThread, startRequestThread } from "@trunkline/workers"
import { Cause, Duration, Effect, Exit, Schema } from "effect"
import type { ResourceLimits } from "node:worker_threads"
import { ImportPlace } from "./ImportPlace.js"

/** Settings of a thread for its whole life. */
const Settings = Schema.Struct({
  place: ImportPlace,
  /** Number of the fence under which the process owns the database. */
  fence: Schema.Number,
  limits: Schema.Struct({
    bytes: Schema.Number,
    rows: Schema.Number,
    processing: Schema.DurationFromMillis,
    imports: Schema.Number,
    downloads: Schema.Number
  })
})

const encode = Schema.encodeSync(Settings)

/** Encodes settings for a thread. */
export const encodeSettings = (
  { limits, ...settings }: Omit<typeof Settings.Type, "limits"> & { readonly limits: CohortLimits }
): typeof Settings.Encoded =>
  encode({ ...settings, limits: { ...limits, processing: Duration.decode(limits.processing) } })

/** Decodes settings in a thread. */
export const decodeSettings = Schema.decodeUnknownSync(Settings)

/** Request to import a cohort, one at a time, or to end, even in the middle of an import. */
const Request = Schema.Union(
  Schema.TaggedStruct("Import", { scope: Scope, cohort_id: CohortId }),
  Schema.TaggedStruct("End", {})
)

const encodeRequest = Schema.encodeSync(Request)

/** Encodes the request to import a cohort. */
export const importRequest = ({ cohort_id, scope }: ImportTask): typeof Request.Encoded =>
  encodeRequest({ _tag: "Import", scope, cohort_id })

/** Request to end. */
export const endRequest: typeof Request.Encoded = encodeRequest({ _tag: "End" })

/** Decodes a request in a thread. */
export const decodeRequest = Schema.decodeUnknownSync(Request)

/**
 * Defect of an import in a thread. Its name and stack say which error it was and where it came from, as `describeCause`
 * reports them, without any of the data.
 */
class ImportDefect extends Error {
  /** `description` is the name of the error, then its stack frames. */
  constructor(description: string) {
    super("An import crashed in its thread")
    const [name = "", ...frames] = description.split("\n")
    this.name = name
    this.stack = [`${name}: ${this.message}`, ...frames].join("\n")
  }
}

/** Defect as it crosses between threads: what `describeCause` says of it. */
const Defect = Schema.transform(Schema.String, Schema.Unknown, {
  strict: true,
  decode: (description) => new ImportDefect(description),
  encode: (defect) => describeCause(Cause.die(defect))
})

/** Outcome of an import in a thread. */
const Outcome = Schema.Exit({ success: CohortResult, failure: ImportFailed, defect: Defect })

/** Encodes the outcome of an import in a thread. */
export const encodeOutcome = Schema.encodeSync(Outcome)

/** Decodes the outcome of an import. */
export const decodeOutcome = Schema.decodeUnknownEither(Outcome)

/** A thread that imports one cohort at a time. */
export type ImportThread = RequestThread<typeof Request.Encoded, typeof Outcome.Type>

/** Options of an import thread. */
export interface ImportThreadOptions {
  readonly workerData: unknown
  readonly resourceLimits?: ResourceLimits
  /** Time to roll back a transaction and close files before the thread is terminated; 2,000 by default. */
  readonly graceMillis?: number
}

/** Starts a thread for imports. */
export const startImportThread = (
  entry: URL,
  { graceMillis = 2_000, ...options }: ImportThreadOptions
): ImportThread =>
  startRequestThread(entry, {
    ...options,
    name: "cohort import",
    decode: decodeOutcome,
    shutdown: { message: endRequest, graceMillis }
  })

/** Imports in a thread; dies when the thread or the import crashes. A failure of the import is a value. */
export const importIn = (
  thread: ImportThread,
  task: ImportTask
): Effect.Effect<Exit.Exit<CohortResult, ImportFailed>> =>
  thread.request(importRequest(task)).pipe(
    Effect.catchTag("WorkerCrashed", ({ description }) => Effect.die(new ImportDefect(description))),
    Effect.tap((outcome) => Exit.isFailure(outcome) && Cause.isDie(outcome.cause) ? Effect.orDie(outcome) : Effect.void)
  )
