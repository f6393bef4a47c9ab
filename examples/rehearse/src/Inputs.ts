import { CreateCampaign } from "@trunkline/campaigns"
import { csvRows, fitFile, importRows, parseTransformation } from "@trunkline/cohorts"
import { issuesOf } from "@trunkline/errors"
import { Timestamp } from "@trunkline/kernel"
import { CalleeModel, Prices, type RehearsalContact, type RehearsalContacts } from "@trunkline/rehearsal"
import { Effect, Schema, Stream } from "effect"
import { createReadStream } from "node:fs"
import { readFile, stat } from "node:fs/promises"
import { type Arguments, Unusable } from "./Arguments.js"

const tryFile = <A>(path: string, work: () => Promise<A>) =>
  Effect.tryPromise({
    try: work,
    catch: (error) => {
      const code = error instanceof Error && "code" in error ? String(error.code) : String(error)
      return new Unusable({ message: `${path} cannot be read: ${code === "ENOENT" ? "there is no such file" : code}` })
    }
  })

/** The contents of a JSON file, as a schema reads them; everything that is wrong with them in one line. */
const jsonOf = <A, I>(path: string, schema: Schema.Schema<A, I>): Effect.Effect<A, Unusable> =>
  Effect.gen(function*() {
    const text = yield* tryFile(path, () => readFile(path, "utf8"))
    const json = yield* Effect.try({
      try: (): unknown => JSON.parse(text),
      catch: (error) => new Unusable({ message: `${path} is no JSON: ${error instanceof Error ? error.message : ""}` })
    })
    return yield* Effect.mapError(
      Schema.decodeUnknown(schema)(json, { errors: "all", onExcessProperty: "error" }),
      (error) => {
        const wrong = issuesOf(error, "body").map(({ loc, msg }) => `${loc.slice(1).join(".")}: ${msg}`).join("; ")
        return new Unusable({ message: `${path} needs a correction: ${wrong}` })
      }
    )
  })

const bytesOf = (path: string) => Stream.orDie(Stream.fromAsyncIterable(createReadStream(path), (error) => error))

/** Rows that are read at most. */
const maxRows = 10_000_000

/** Where to learn what is wrong with the rows of a file. */
export const whyRejected = "npm start -w @trunkline/example-script-cohort says why"

/** The people of a CSV whose rows are right, of whom there must be one, and how many rows are not. */
const peopleOf = (csv: string, mapping: string) =>
  Effect.gen(function*() {
    const json = yield* tryFile(mapping, () => readFile(mapping))
    const transformation = yield* Effect.mapError(
      parseTransformation(json, null),
      ({ message }) => new Unusable({ message: `${mapping} needs a correction: ${message}` })
    )
    const { size } = yield* tryFile(csv, () => stat(csv))
    if (size === 0) return yield* new Unusable({ message: `${csv} is empty` })
    const fitted = yield* Effect.mapError(
      fitFile(bytesOf(csv), { transformation, terms: { requiresRows: true } }),
      ({ message }) => new Unusable({ message: `${csv} does not fit ${mapping}: ${message}` })
    )
    const people: Array<RehearsalContact> = []
    const { rejected_records } = yield* importRows({
      ...fitted,
      rows: Stream.drop(csvRows(bytesOf(csv)), 1),
      maxRows,
      percent: () => 0,
      keep: ({ users }) =>
        Effect.sync(() => {
          for (const { user_phone_number } of users) people.push({ user_phone_number })
        }),
      reject: Stream.runDrain
    }).pipe(Effect.mapError(({ message }) => new Unusable({ message: `${csv} cannot be read: ${message}` })))
    if (people.length === 0) {
      return yield* new Unusable({
        message: `${csv} has nobody to call: all of its ${rejected_records} rows are rejected (${whyRejected})`
      })
    }
    return { people, rejected: rejected_records }
  })

/** Everything that a rehearsal needs, as files and words say it. */
export const readInputs = (words: Arguments) =>
  Effect.gen(function*() {
    const campaign = yield* jsonOf(words.campaign, CreateCampaign)
    const callees = words.callees === null ? null : yield* jsonOf(words.callees, CalleeModel)
    const prices = words.prices === null ? null : yield* jsonOf(words.prices, Prices)
    const now = words.now === null ? null : yield* Effect.mapError(
      Schema.decodeUnknown(Timestamp)(words.now),
      () => new Unusable({ message: "--now must be a date and time such as 2026-03-02T09:30:00+05:30" })
    )
    const read = words.people._tag === "Count"
      ? { people: words.people.count, rejected: 0 }
      : yield* peopleOf(words.people.csv, words.people.transformation)
    const contacts: RehearsalContacts = read.people
    return { campaign, callees, prices, contacts, rejected: read.rejected, now: now?.epochMillis ?? null }
  })
