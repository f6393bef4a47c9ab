import { type CohortLimits, CohortResult, ImportFailed, type ImportTask } from "@trunkline/cohorts"
import { CohortId, describeCause, Scope } from "@trunkline/kernel"
import { Cause, Duration, Schema } from "effect"
import { ThreadDefect } from "./ThreadDefect.js"

/** What a thread works with, from its start to its end. */
const Settings = Schema.Struct({
  /** The SQLite file. */
  file: Schema.String,
  /** The folder of the `FileStore`. */
  folder: Schema.String,
  /** The number of the fence under which the process owns the file. */
  fence: Schema.Number,
  limits: Schema.Struct({
    bytes: Schema.Number,
    rows: Schema.Number,
    processing: Schema.DurationFromMillis,
    imports: Schema.Number,
    downloads: Schema.Number
  })
})

const encodeSettings = Schema.encodeSync(Settings)

/** Settings on their way to a thread. */
export const settingsFor = (
  { limits, ...place }: Omit<typeof Settings.Type, "limits"> & { readonly limits: CohortLimits }
): typeof Settings.Encoded =>
  encodeSettings({ ...place, limits: { ...limits, processing: Duration.decode(limits.processing) } })

/** Settings as they arrive in a thread. */
export const settingsIn = Schema.decodeUnknownSync(Settings)

/** What a thread is asked: to import, never two cohorts at a time, or to end, whatever it is doing. */
const Request = Schema.Union(
  Schema.TaggedStruct("Import", { scope: Scope, cohort_id: CohortId }),
  Schema.TaggedStruct("End", {})
)

const encodeRequest = Schema.encodeSync(Request)

/** The request to import. */
export const importRequest = ({ cohort_id, scope }: ImportTask): typeof Request.Encoded =>
  encodeRequest({ _tag: "Import", scope, cohort_id })

/** The request to end. */
export const endRequest: typeof Request.Encoded = encodeRequest({ _tag: "End" })

/** A request as it arrives in a thread. */
export const requestIn = Schema.decodeUnknownSync(Request)

/** A defect crosses as what `describeCause` says of it. */
const Defect = Schema.transform(Schema.String, Schema.Unknown, {
  strict: true,
  decode: (description) => new ThreadDefect(description),
  encode: (defect) => describeCause(Cause.die(defect))
})

/** How an import ended in a thread. */
const Answer = Schema.Exit({ success: CohortResult, failure: ImportFailed, defect: Defect })

/** The answer to an import, on its way from a thread. */
export const answerFor = Schema.encodeSync(Answer)

/** An answer as it arrives from a thread. */
export const answerIn = Schema.decodeUnknown(Answer)
