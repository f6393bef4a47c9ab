import { Scope } from "@trunkline/kernel"
import { KeyBudget, KeyId, keyIdOf } from "@trunkline/rate-limits"
import { DateTime, Option, Schema } from "effect"

/** An option that may be left out. */
export const maybe = <A, I>(schema: Schema.Schema<A, I>) => Schema.optionalWith(schema, { exact: true })

/** An option that stands for something when it is left out. */
export const otherwise = <A, I>(schema: Schema.Schema<A, I>, value: A) =>
  Schema.optionalWith(schema, { exact: true, default: () => value })

/** Text of a form, with what to say about any other. */
const formed = (form: RegExp, message: string) => Schema.String.pipe(Schema.pattern(form, { message: () => message }))

/** Whole micro-credits; 15 digits at the most, so that every number is exact. */
export const MicroCredits = Schema.transform(
  formed(/^\d{1,15}$/, "Must be a whole number of micro-credits"),
  Schema.Number,
  { strict: true, decode: Number, encode: String }
)

/** Micro-credits that are given. */
export const Grant = MicroCredits.pipe(Schema.positive({ message: () => "Must be at least 1" }))

/** What a grant is for. */
export const Reference = formed(/^(?!usage:)[\s\S]+$/, "Must be a text that does not begin with usage:")

/** What a key may spend, such as `5000000/month`. */
export const Budget = Schema.transform(
  formed(
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
  formed(/^[^/]{1,128}\/[^/]{1,128}$/, "Must be an organisation and a workspace, such as acme/main"),
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

/** The id of a key that was given by its id or as a whole. */
const idOf = (given: string) =>
  Option.orElse(keyIdOf(given), () => Option.liftPredicate(given, (id) => /^[^_\s]+$/.test(id)))

/** A key's id; of a whole key only the id is taken. */
export const KeyToFind = Schema.transform(
  Schema.String.pipe(
    Schema.filter((given) => Option.isSome(idOf(given)), {
      message: () => "Must be the id of a key, as keys list shows it, or the whole key"
    })
  ),
  KeyId,
  { strict: true, decode: (given) => Option.getOrElse(idOf(given), () => ""), encode: (id) => id }
)

const isDay = (text: string) =>
  Option.exists(DateTime.make(`${text}T00:00:00Z`), (day) => DateTime.formatIsoDateUtc(day) === text)

/** A day, such as `2026-11-30`. */
export const Day = Schema.String.pipe(Schema.filter(isDay, { message: () => "Must be a day, such as 2026-11-30" }))
