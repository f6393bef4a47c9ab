import { isJsonObject, placeholder } from "@trunkline/kernel"
import { Schema } from "effect"
import { optional } from "./Templates.js"

/** Names that templates of a request may use, by the word before their dot. */
const sources = ["args", "variables", "call", "secrets", "digits"] as const

/** A reference in a template, such as `args.city`: its source and its name. */
export interface TemplateReference {
  readonly source: typeof sources[number]
  readonly name: string
}

/** Facts of a call that templates may use. */
const callFacts = [
  "attempt_id",
  "app_id",
  "direction",
  "user_phone_number",
  "agent_phone_number",
  "language_name"
] as const

const referenceIn = (text: string): TemplateReference | undefined => {
  const [, word = "", name = ""] = /^([a-z]+)\.([\p{L}\p{N}_-]{1,64})$/u.exec(text) ?? []
  const source = sources.find((source) => source === word)
  const isUnknownFact = source === "call" && !callFacts.some((fact) => fact === name)
  return source === undefined || isUnknownFact ? undefined : { source, name }
}

/** Fills the references of a template with what `valueOf` returns. */
export const fillReferences = (template: string, valueOf: (reference: TemplateReference) => string): string =>
  template.replace(placeholder, (whole, text: string) => {
    const reference = referenceIn(text)
    return reference === undefined ? whole : valueOf(reference)
  })

/** The reference that is all of a template; undefined for any other text. */
export const soleReference = (template: string): TemplateReference | undefined => {
  const [whole, text] = [...template.matchAll(placeholder)][0] ?? []
  return whole === template && text !== undefined ? referenceIn(text) : undefined
}

const textsOf = (value: unknown): ReadonlyArray<string> =>
  typeof value === "string"
    ? [value]
    : Array.isArray(value)
    ? value.flatMap(textsOf)
    : isJsonObject(value)
    ? Object.values(value).flatMap(textsOf)
    : []

/** References of a template, or of the texts in a value. */
export const referencesIn = (value: unknown): ReadonlyArray<TemplateReference> =>
  textsOf(value).flatMap((text) => [...text.matchAll(placeholder)].flatMap(([, name = ""]) => referenceIn(name) ?? []))

/** Fault of the references in a value; true without one. */
const referenceFault = (value: unknown): string | true => {
  const wrong = textsOf(value).flatMap((text) => [...text.matchAll(placeholder)].map(([, name = ""]) => name))
    .find((name) => referenceIn(name) === undefined)
  return wrong === undefined ||
    `{{${wrong}}} is unknown: write {{args.name}}, {{variables.name}}, {{secrets.name}}, {{digits.name}} or {{call.name}} with one of ${
      callFacts.join(", ")
    }`
}

const Filled = Schema.String.pipe(Schema.filter(referenceFault))

/** The URL of a request: its scheme and host are fixed, so that no argument can lead elsewhere. */
const Url = Filled.pipe(Schema.filter((url) => {
  const origin = /^https?:\/\/[^/?#]*/i.exec(url)?.[0]
  if (origin === undefined || !URL.canParse(url)) return "Must be an http or https URL"
  return !origin.includes("{{") || "The host cannot have a variable in it"
}, {
  arbitrary: () => (fc) => fc.constantFrom("https://desk.example.com/slots", "http://desk.example.com/{{args.day}}?q=1")
}))

const HeaderName = Schema.String.pipe(Schema.pattern(/^[!#$%&'*+.^_`|~0-9A-Za-z-]{1,100}$/, {
  message: () => "Must be the name of a header"
}))

/** A way into an answer in JSON: names and positions with dots between, such as `slots.0.time`. */
const FieldPath = Schema.String.pipe(Schema.pattern(/^[^.]+(\.[^.]+)*$/, {
  message: () => "Must be names and positions with dots between, such as slots.0.time"
}))

const Fields = Schema.Record({ key: Schema.String, value: FieldPath })

/** Longest body of an answer that a tool may declare, in bytes. */
const maxAnswerBytes = 1_048_576

/**
 * The request of a tool over HTTP. Texts may refer to `{{args.name}}` (arguments of the model), `{{variables.name}}` (those
 * of the call), `{{secrets.name}}`, `{{digits.name}}` (an entry of the caller) and `{{call.name}}`, such as
 * `{{call.user_phone_number}}`.
 */
export const HttpRequest = Schema.Struct({
  method: Schema.optionalWith(Schema.Literal("GET", "POST", "PUT", "PATCH", "DELETE"), {
    exact: true,
    default: () => "POST" as const
  }),
  /** References in the path and the query are encoded. */
  url: Url,
  /** Parameters that are added to the query; those without a value are left out. */
  query: optional(Schema.Record({ key: Schema.String, value: Filled })),
  headers: optional(Schema.Record({ key: HeaderName, value: Filled })),
  /**
   * Body in JSON. A text that is nothing but a reference becomes its value with its type, and a field without a value is left
   * out. Absent: the arguments, for methods other than GET and DELETE.
   */
  body: optional(Schema.Unknown.pipe(Schema.filter(referenceFault))),
  /** Longest answer in bytes, up to 1 MiB; 65,536 by default. */
  max_bytes: optional(Schema.Int.pipe(Schema.between(1, maxAnswerBytes))),
  /** Form of the answer, and the part of it that the model is told. */
  answer: optional(Schema.Struct({
    /** JSON Schema of the answer: another one counts as a failure of the tool. */
    schema: optional(Schema.Record({ key: Schema.String, value: Schema.Unknown })),
    /** Fields that the model is told, each by a name of yours with its path, such as `slots.0.time`; absent: all of it. */
    pick: optional(Fields),
    /** Variables that the answer sets, each with the path of its value, which is a text, a number, true, false or null. */
    set: optional(Fields)
  }))
})
export type HttpRequest = typeof HttpRequest.Type
