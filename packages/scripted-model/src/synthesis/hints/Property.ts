import { fieldOf, isJsonObject, listOf, stringOf, stringsOf } from "@trunkline/kernel"
import type { JsonSchema } from "@trunkline/models"
import { formatOfName, snakeCase, wordsOf } from "../Formats.js"

/** Kind of entity that a property can hold. */
export type EntityKind = "email" | "phone" | "link" | "date" | "time" | "moment" | "number" | "flag" | "text" | "whole"

/** A property that a message may have a value for. */
export interface Property {
  readonly name: string
  /** Significant words of its name. */
  readonly labels: ReadonlyArray<string>
  readonly kind: EntityKind | undefined
  /** Its enum members; undefined if it has no enum. */
  readonly members: ReadonlyArray<unknown> | undefined
  /** True if it is a list of such values. */
  readonly isList: boolean
  /** True if it has a pattern that parts of the message can match. */
  readonly hasPattern: boolean
}

/** Generic words in names. */
const general: ReadonlySet<string> = new Set(
  [
    "a",
    "by",
    "count",
    "field",
    "in",
    "input",
    "is",
    "new",
    "no",
    "num",
    "number",
    "of",
    "the",
    "total",
    "user",
    "value"
  ]
)

const kindsOfFormats: Readonly<Record<string, EntityKind>> = {
  email: "email",
  "idn-email": "email",
  phone: "phone",
  uri: "link",
  url: "link",
  iri: "link",
  date: "date",
  time: "time",
  "date-time": "moment"
}

/** Names of properties that take a whole text. */
const whole =
  /(?:^|_)(?:answer|body|comment|content|description|input|message|note|notes|prompt|query|question|reason|reply|request|response|search|subject|summary|text|topic)$/

const textKind = (schema: JsonSchema, name: string): EntityKind | undefined => {
  const format = stringOf(fieldOf(schema, "format"))
  if (format !== undefined) return Object.hasOwn(kindsOfFormats, format) ? kindsOfFormats[format] : undefined
  const snake = snakeCase(name)
  const spokenText = formatOfName(snake)
  if (spokenText !== undefined && Object.hasOwn(kindsOfFormats, spokenText)) return kindsOfFormats[spokenText]
  if (spokenText === "uuid") return undefined
  if (/(?:^|_)time$/.test(snake)) return "time"
  return whole.test(snake) ? "whole" : "text"
}

const kindOf = (schema: JsonSchema, name: string): EntityKind | undefined => {
  const type = fieldOf(schema, "type")
  const [first = "string"] = typeof type === "string" ? [type] : stringsOf(type).filter((one) => one !== "null")
  switch (first) {
    case "integer":
    case "number":
      return "number"
    case "boolean":
      return "flag"
    case "string":
      return Object.hasOwn(schema, "properties") ? undefined : textKind(schema, name)
    default:
      return undefined
  }
}

/** Upper bound of references and branches that are followed. */
const max = 5

/** Resolves a schema to its reference or its first branch other than null. */
const atSight = (schema: unknown, resolve: (reference: string) => unknown): JsonSchema => {
  let at = schema
  for (let step = 0; step < max && isJsonObject(at); step++) {
    const reference = stringOf(fieldOf(at, "$ref"))
    const branches = [...listOf(fieldOf(at, "anyOf")), ...listOf(fieldOf(at, "oneOf")), ...listOf(fieldOf(at, "allOf"))]
    if (reference !== undefined) at = resolve(reference)
    else if (fieldOf(at, "type") === undefined && branches.length > 0) {
      at = branches.find((branch) => isJsonObject(branch) && fieldOf(branch, "type") !== "null")
    } else break
  }
  return isJsonObject(at) ? at : {}
}

/** Derives the property from its name and schema. */
export const propertyOf = (
  name: string,
  schema: unknown,
  resolve: (reference: string) => unknown
): Property => {
  const flatSchema = atSight(schema, resolve)
  const isList = fieldOf(flatSchema, "type") === "array"
  const itemSchema = isList ? atSight(fieldOf(flatSchema, "items"), resolve) : flatSchema
  const members = fieldOf(itemSchema, "enum")
  const words = wordsOf(name)
  const telling = words.filter((word) => !general.has(word))
  return {
    name,
    labels: telling.length > 0 ? telling : words,
    kind: kindOf(itemSchema, name),
    members: Array.isArray(members) ? members : undefined,
    isList,
    hasPattern: Object.hasOwn(itemSchema, "pattern")
  }
}
