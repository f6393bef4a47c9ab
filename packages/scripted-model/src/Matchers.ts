import type { Message } from "@trunkline/models"
import { hasIntent, type Intent } from "./Phrases.js"
import { instructionsOf, type ScriptedTurn } from "./ScriptedTurn.js"
import { excerpt } from "./Text.js"

/** Captures of a matcher by name, which fill `{{name}}` in the texts of a rule. */
export type Captures = Readonly<Record<string, string>>

/** Decides whether a rule applies to a turn; captures mean that it does. */
export type Matcher = (turn: ScriptedTurn) => boolean | Captures

/**
 * Matches a text: a phrase in any case, or a pattern whose named groups are captured. Of long texts the first and last
 * 2,000 UTF-16 units are searched.
 */
const says = (target: string | RegExp): (text: string) => boolean | Captures => {
  if (typeof target === "string") {
    const lower = target.toLowerCase()
    return (text) => excerpt(text).toLowerCase().includes(lower)
  }
  const pattern = new RegExp(target.source, target.flags.replace(/[gy]/g, ""))
  return (text) => {
    const match = pattern.exec(excerpt(text))
    if (match === null) return false
    return Object.fromEntries(Object.entries(match.groups ?? {}).map(([name, value = ""]) => [name, value]))
  }
}

/** Matches every turn. */
export const always = (): boolean => true

/**
 * Matches if the last message is the user's and contains this: a phrase in any case, or a pattern, whose named groups
 * can be used in the reply. Of long texts the first and last 2,000 UTF-16 units are searched.
 */
export const userSays = (text: string | RegExp): Matcher => {
  const holds = says(text)
  return ({ role, userText }) => role === "user" && holds(userText)
}

/** Matches if the last message is the user's and expresses an intent, by whole words in English or Hindi. */
export const userMeans = (thing: Intent): Matcher => ({ role, userText }) =>
  role === "user" && hasIntent(userText, thing)

/** Code point of the Devanagari zero. */
const devanagariZero = 0x966

/**
 * Matches if the last message is the user's and holds so many digits, European or Devanagari, however they are spaced.
 * They are captured under `name`, as European digits.
 */
export const userGivesDigits = (count: number, name = "digits"): Matcher => ({ role, userText }) => {
  const digits = excerpt(userText)
    .replace(/[०-९]/g, (digit) => `${digit.charCodeAt(0) - devanagariZero}`)
    .replace(/\D/g, "")
  return role === "user" && digits.length === count && { [name]: digits }
}

/** Matches the instructions, as `userSays` does. */
export const systemSays = (text: string | RegExp): Matcher => {
  const holds = says(text)
  return ({ request }) => holds(instructionsOf(request))
}

/** Matches if the last message is the result of this tool. */
export const toolAnswered = (name: string): Matcher => ({ toolResult }) => toolResult?.name === name

/** Matches requests for these models, by public id. */
export const modelIs = (...ids: ReadonlyArray<string>): Matcher => ({ request }) => ids.includes(request.model)

/** Matches the role of the last message; null for an empty conversation. */
export const lastFrom = (role: Message["role"] | null): Matcher => (turn) => turn.role === role

/** Matches the number of the user's messages. */
export const turnIs = (turn: number): Matcher => (context) => context.turn === turn

/** Matches if all matchers match, with the captures of all. */
export const allOf = (...matchers: ReadonlyArray<Matcher>): Matcher => (turn) => {
  let captures: Captures = {}
  for (const matcher of matchers) {
    const match = matcher(turn)
    if (match === false) return false
    captures = { ...captures, ...(match === true ? {} : match) }
  }
  return captures
}

/** Matches if one matcher matches, with the captures of the first. */
export const anyOf = (...matchers: ReadonlyArray<Matcher>): Matcher => (turn) => {
  for (const matcher of matchers) {
    const match = matcher(turn)
    if (match !== false) return match
  }
  return false
}

/** Matches if none of the matchers matches. */
export const noneOf = (...matchers: ReadonlyArray<Matcher>): Matcher => (turn) =>
  matchers.every((matcher) => matcher(turn) === false)
