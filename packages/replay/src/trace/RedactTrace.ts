import { type Variables, withoutSecrets } from "@trunkline/kernel"
import { compilePattern } from "@trunkline/models"
import { Schema } from "effect"
import type { LineChange } from "./CallTrace.js"

/** Kinds of personal data that a rule can name. */
const redactedKinds = ["phone_numbers", "emails", "card_numbers", "numbers"] as const

/** Longest pattern of a rule, in characters. */
const maxPattern = 500

/** Length of a text, in UTF-16 units, that tells patterns with one or two repetitions from those whose work multiplies. */
const testedLength = 30

const patternProblem = (pattern: string): string | undefined => {
  try {
    if (new RegExp(pattern, "gu").test("")) return "Must not fit an empty text"
  } catch {
    return "Must be a regular expression, such as ACC-[0-9]+"
  }
  return compilePattern(pattern).steps(testedLength) === Infinity
    ? "Could take too long: leave out references to groups, and repetitions of what repeats or has alternatives"
    : undefined
}

/**
 * Rule of what is left out of traces: a kind of data (`numbers` are those of four digits or more), the value of a variable, or
 * what fits a regular expression, with the name of its placeholder.
 */
export const RedactRule = Schema.Union(
  Schema.Literal(...redactedKinds),
  Schema.Struct({ variable: Schema.NonEmptyString }),
  Schema.Struct({
    pattern: Schema.NonEmptyString.pipe(Schema.maxLength(maxPattern), Schema.filter(patternProblem)),
    name: Schema.String.pipe(Schema.pattern(/^[a-z_]{1,30}$/, { message: () => "Must be a name such as account" }))
  })
)
export type RedactRule = typeof RedactRule.Type

/** Rules where none are given. */
export const redactDefaults: ReadonlyArray<RedactRule> = ["phone_numbers", "emails", "card_numbers"]

const patterns: Readonly<Record<typeof redactedKinds[number], readonly [name: string, pattern: RegExp]>> = {
  emails: ["email", /(?<![\w.+-])[\w.+-]{1,64}@[\w-]{1,63}(?:\.[\w-]{1,63})+/gu],
  card_numbers: ["card", /(?<!\d)\d(?:[ -]?\d){12,18}(?!\d)/gu],
  phone_numbers: ["phone", /(?:\+|\b00)\d(?:[ ()-]{0,2}\d){6,14}|(?<![\d.])\d(?:[ ()-]{0,2}\d){8,14}(?!\d)/gu],
  numbers: ["number", /(?<![\w.-])\d(?:[ -]?\d){3,}(?![\w-])/gu]
}

/** Dates and ids, which are no numbers of people. */
const keptPattern = /^(?:\d{4}-\d\d-\d\d|[0-9a-f]{8}-[0-9a-f-]+)/iu

/** Fields with words or values; all others are names, moments and numbers of the form. */
const textFields = new Set([
  "text",
  "say",
  "heard",
  "en_text",
  "indic_text",
  "content",
  "arguments",
  "tool_arguments",
  "summary",
  "reason",
  "fault",
  "english",
  "to"
])

/** Fields whose values are variables. */
const variableFields = new Set(["agent_variables", "set", "final_agent_variables", "output_agent_variables"])

/** A text as a regular expression that matches it. */
export const escaped = (text: string): string => text.replace(/[.*+?^${}()|[\]\\]/gu, "\\$&")

/** Text in place of a value, by the name of its kind and its number among those of the kind. */
export interface Placeholder {
  (name: string, number: number, value: string): string
}

const bracketPlaceholder: Placeholder = (name, number) => `[${name} ${number}]`

/** Leaves personal data out of the trace of one call. */
export interface Redactor {
  /** A text, with a placeholder such as `[phone 1]` for each value, the same one wherever the value comes again. */
  readonly text: (text: string) => string
  /** The JSON of a line of a trace. */
  readonly line: LineChange
}

/**
 * Makes the redactor of a call. Keys, tokens and passwords, and the caller's own number, are always left out.
 *
 * Values stand for placeholders such as `[phone 1]`, unless others are asked for.
 */
export const makeRedactor = (
  rules: ReadonlyArray<RedactRule>,
  { phone, placeholderOf = bracketPlaceholder, variables }: {
    readonly phone: string
    readonly variables: Variables
    readonly placeholderOf?: Placeholder
  }
): Redactor => {
  const names = new Map<string, string>()
  const counts = new Map<string, number>()
  /** True for what stands in place of a value already, or is a part of that. */
  const isGiven = (value: string): boolean => Array.from(names.values()).some((givenText) => givenText.includes(value))
  const placeholder = (name: string, value: string): string => {
    const key = `${name} ${value.toLowerCase().replace(/(?<=\d)[ ()-]+(?=\d)/gu, "")}`
    const before = names.get(key)
    if (before !== undefined) return before
    const count = (counts.get(name) ?? 0) + 1
    counts.set(name, count)
    const givenText = placeholderOf(name, count, value)
    names.set(key, givenText)
    return givenText
  }
  const literals = [
    ...(phone.length < 5 ? [] : [["caller", phone] as const]),
    ...rules.flatMap((rule) => {
      if (typeof rule === "string" || !("variable" in rule)) return []
      const value = variables[rule.variable]
      return value === undefined || value === null || String(value).length < 2
        ? []
        : [[rule.variable, String(value)] as const]
    })
  ]
  const replacements: ReadonlyArray<readonly [name: string, pattern: RegExp]> = [
    ...literals.map(([name, value]) =>
      [name, new RegExp(`(?<![\\p{L}\\p{N}])${escaped(value)}(?![\\p{L}\\p{N}])`, "giu")] as const
    ),
    ...rules.flatMap((rule) =>
      typeof rule !== "string" && "pattern" in rule ? [[rule.name, new RegExp(rule.pattern, "gu")] as const] : []
    ),
    // Cards come before phone numbers, which are shorter.
    ...(["emails", "card_numbers", "phone_numbers", "numbers"] as const).flatMap((kind) =>
      rules.includes(kind) ? [patterns[kind]] : []
    )
  ]
  const text = (givenText: string): string =>
    replacements.reduce(
      (plain, [name, pattern]) =>
        plain.replace(pattern, (value) =>
          value === "" || keptPattern.test(value) || isGiven(value) ? value : placeholder(name, value)),
      withoutSecrets(givenText)
    )
  /** Keys stay keys: each becomes a zero where a rule would leave them out. */
  const keys = (digits: string): string => text(digits) === digits ? digits : digits.replace(/\d/gu, "0")

  const change = (value: unknown, field: string, isValue: boolean): unknown => {
    if (typeof value === "string") {
      return field === "digit"
        ? keys(value)
        : isValue || textFields.has(field)
        ? text(value)
        : value
    }
    if (typeof value === "number" && isValue) {
      const plain = text(String(value))
      return plain === String(value) ? value : /^\d{1,15}$/u.test(plain) ? Number(plain) : plain
    }
    if (Array.isArray(value)) return value.map((one) => change(one, field, isValue))
    if (typeof value !== "object" || value === null) return value
    return Object.fromEntries(
      Object.entries(value).map(([name, one]) => [name, change(one, name, isValue || variableFields.has(name))])
    )
  }
  const line: LineChange = <A extends object>(json: A): A => Object.assign({}, json, change(json, "", false))
  return { text, line }
}
