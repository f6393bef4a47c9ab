import { Scope } from "@trunkline/kernel"
import { KeyBudget, KeyId, keyIdOf } from "@trunkline/rate-limits"
import { DateTime, Option, Schema } from "effect"

/** An optional value. */
export const optional = <A, I>(schema: Schema.Schema<A, I>) => Schema.optionalWith(schema, { exact: true })

/** An optional value with a default. */
export const withDefault = <A, I>(schema: Schema.Schema<A, I>, value: A) =>
  Schema.optionalWith(schema, { exact: true, default: () => value })

/** Text that matches a pattern; `message` describes a mismatch. */
const matching = (form: RegExp, message: string) => Schema.String.pipe(Schema.pattern(form, { message: () => message }))

/** Whole micro-credits, at most 15 digits so that every value is exact. */
export const MicroCredits = Schema.transform(
  matching(/^\d{1,15}$/, "Must be a whole number of micro-credits"),
  Schema.Number,
  { strict: true, decode: Number, encode: String }
)

/** Concurrent calls of a workspace; null, written `lines`, for as many as its lines have channels. */
export const CallLimit = Schema.transform(
  matching(
    /^(lines|[1-9]\d{0,4}|100000)$/,
    "Must be a number from 1 to 100000, or lines for the channels of its lines"
  ),
  Schema.NullOr(Schema.Number),
  {
    strict: true,
    decode: (text) => text === "lines" ? null : Number.parseInt(text, 10),
    encode: (limit) => limit === null ? "lines" : String(limit)
  }
)

/** A positive number of micro-credits. */
export const Grant = MicroCredits.pipe(Schema.positive({ message: () => "Must be at least 1" }))

/** Reference of a grant. */
export const GrantReference = matching(/^(?!usage:)[\s\S]+$/, "Must be text that does not begin with usage:")

/** Budget of a key, such as `5000000/month`. */
export const Budget = Schema.transform(
  matching(
    /^\d{1,15}\/(day|month|total)$/,
    "Must be micro-credits and a period, such as 5000000/month (or /day, or /total)"
  ),
  Schema.Unknown,
  {
    strict: true,
    decode: (text) => ({ micro_credits: Number.parseInt(text, 10), period: text.split("/")[1] }),
    encode: String
  }
).pipe(Schema.compose(KeyBudget, { strict: false }))

/** A workspace with its organisation, such as `acme/main`. */
export const WorkspaceName = Schema.transform(
  matching(/^[^/]{1,128}\/[^/]{1,128}$/, "Must be an organisation and a workspace, such as acme/main"),
  Scope,
  {
    strict: true,
    decode: (text) => {
      const [org_id = "", workspace_id = ""] = text.split("/")
      return { org_id, workspace_id }
    },
    encode: ({ org_id, workspace_id }) => `${org_id}/${workspace_id}`
  }
)

/** Extracts the id from a key id or a whole key. */
const idOf = (text: string) =>
  Option.orElse(keyIdOf(text), () => Option.liftPredicate(text, (id) => /^[^_\s]+$/.test(id)))

/** A key id, given as the id or as the whole key. */
export const KeyReference = Schema.transform(
  Schema.String.pipe(
    Schema.filter((text) => Option.isSome(idOf(text)), {
      message: () => "Must be the id of a key, as keys list shows it, or the whole key"
    })
  ),
  KeyId,
  { strict: true, decode: (text) => Option.getOrElse(idOf(text), () => ""), encode: (id) => id }
)

const isDay = (text: string) =>
  Option.exists(DateTime.make(`${text}T00:00:00Z`), (day) => DateTime.formatIsoDateUtc(day) === text)

/** A day, such as `2026-11-30`. */
export const Day = Schema.String.pipe(Schema.filter(isDay, { message: () => "Must be a day, such as 2026-11-30" }))
