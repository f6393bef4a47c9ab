import { Either } from "effect"
import { type CallTrace, decodeTrace, encodeTrace } from "../trace/CallTrace.js"
import { escaped, makeRedactor, type Placeholder, type RedactRule } from "../trace/RedactTrace.js"

/** Names of people who do not exist. */
const people = ["Kiran", "Meera", "Arun", "Leela", "Nikhil", "Tara", "Vikram", "Divya", "Rohan", "Anita"]

/** Digits in place of those of a number, in its form. */
const digitsFor = (value: string, number: number): string => {
  let at = number
  return value.replace(/\d/gu, () => String(at++ % 9 + 1))
}

const kindOf = (name: string): string => name === "caller" ? "phone" : /name/iu.test(name) ? "name" : name

const valueOf: Placeholder = (name, number, value) => {
  switch (kindOf(name)) {
    case "name":
      return `${people[(number - 1) % people.length]}${number > people.length ? ` ${number}` : ""}`
    case "phone":
      return `+9198000000${String(number % 100).padStart(2, "0")}`
    case "email":
      return `person${number}@example.com`
    case "card":
      return digitsFor("0000 0000 0000 0000", number)
    default:
      return /\d/u.test(value) ? digitsFor(value, number) : `${name} ${number}`
  }
}

/** Words after which people say their name, and the name: one or two words with a capital. */
const introducedText =
  "(?<=\\b(?:[Mm]y name is|[Tt]his is|[Ii] am|[Ii]'m|[Mm]y name's) )\\p{Lu}[\\p{L}'-]{1,30}(?: \\p{Lu}[\\p{L}'-]{1,30})?"

const namesIn = ({ end: { last_words }, entries }: CallTrace): ReadonlyArray<string> =>
  [...entries.flatMap(({ event }) => event._tag === "Heard" ? [event.heard] : []), ...last_words].flatMap((input) =>
    input._tag === "Said" ? input.text.match(new RegExp(introducedText, "gu")) ?? [] : []
  )

/**
 * The trace with invented names, numbers and addresses, the same one wherever a value comes again. It knows names by the variables
 * whose name has `name` in it, and by the words with which people introduce themselves: read the result before you publish it.
 */
export const withInventedValues = (trace: CallTrace): CallTrace => {
  const variables = { ...trace.agent_variables, ...trace.end.report.final_agent_variables }
  const nameFields = Object.keys(variables).filter((name) => /name/iu.test(name))
  const rules: ReadonlyArray<RedactRule> = [
    ...nameFields.map((variable) => ({ variable })),
    ...Array.from(new Set(namesIn(trace)), (name) => ({ name: "name", pattern: `\\b${escaped(name)}\\b` })),
    { name: "placeholder", pattern: "\\[[a-z_]{1,30} \\d{1,3}\\]" },
    "emails",
    "card_numbers",
    "phone_numbers",
    "numbers"
  ]
  const placeholderOf: Placeholder = (name, number, value) => {
    const [, kind = "", count] = /^\[([a-z_]+) (\d+)\]$/u.exec(value) ?? []
    return kind === "" ? valueOf(name, number, value) : valueOf(kind, Number(count), "")
  }
  const { line } = makeRedactor(rules, { phone: "", variables, placeholderOf })
  return Either.getOrElse(decodeTrace(encodeTrace(trace, line)), () => trace)
}
