import type { Message } from "@trunkline/models"
import { hasIntent, type Intent } from "./Phrases.js"
import { instructionsOf, type ScriptedTurn } from "./ScriptedTurn.js"
import { excerpt } from "./Text.js"

/** What a matcher has found in a turn, by name; it fills the `{{name}}`s of the rule's words. */
export type Captures = Readonly<Record<string, string>>

/** Says whether a rule holds in a turn, or what it has found there, which means that it holds. */
export type Matcher = (turn: ScriptedTurn) => boolean | Captures

/**
 * What a text says: words in any case of letters, or a pattern whose named groups are what is found. Of long texts the
 * first and the last 2,000 UTF-16 units count.
 */
const says = (wanted: string | RegExp): (text: string) => boolean | Captures => {
  if (typeof wanted === "string") {
    const lower = wanted.toLowerCase()
    return (text) => excerpt(text).toLowerCase().includes(lower)
  }
  const pattern = new RegExp(wanted.source, wanted.flags.replace(/[gy]/g, ""))
  return (text) => {
    const match = pattern.exec(excerpt(text))
    if (match === null) return false
    return Object.fromEntries(Object.entries(match.groups ?? {}).map(([name, value = ""]) => [name, value]))
  }
}

/** Always. */
export const always = (): boolean => true

/**
 * The user had the last word, and in it said this: a text in any case of letters, or a pattern, whose named groups can
 * be used in the reply. Of long texts the first and the last 2,000 UTF-16 units are looked at.
 */
export const userSays = (text: string | RegExp): Matcher => {
  const holds = says(text)
  return ({ role, userText }) => role === "user" && holds(userText)
}

/**
 * The user had the last word and said one of the things that every conversation needs: whole words, in English or
 * Hindi.
 */
export const userMeans = (thing: Intent): Matcher => ({ role, userText }) =>
  role === "user" && hasIntent(userText, thing)

/** The code point of the Devanagari zero. */
const devanagariZero = 0x966

/**
 * The user had the last word and gave so many digits, European or Devanagari, however they are spaced; they are found
 * under `name`, as European ones.
 */
export const userGivesDigits = (count: number, name = "digits"): Matcher => ({ role, userText }) => {
  const digits = excerpt(userText)
    .replace(/[०-९]/g, (digit) => `${digit.charCodeAt(0) - devanagariZero}`)
    .replace(/\D/g, "")
  return role === "user" && digits.length === count && { [name]: digits }
}

/** The instructions say this, as with `userSays`. */
export const systemSays = (text: string | RegExp): Matcher => {
  const holds = says(text)
  return ({ request }) => holds(instructionsOf(request))
}

/** The result of this tool has just come in. */
export const toolAnswered = (name: string): Matcher => ({ toolResult }) => toolResult?.name === name

/** One of these models is asked, by public id. */
export const modelIs = (...ids: ReadonlyArray<string>): Matcher => ({ request }) => ids.includes(request.model)

/** The last message is of this role; null: there is no message. */
export const lastFrom = (role: Message["role"] | null): Matcher => (turn) => turn.role === role

/** The user has spoken so many times, this one included. */
export const turnIs = (turn: number): Matcher => (seen) => seen.turn === turn

/** All of them hold; together they have found what each has found. */
export const allOf = (...matchers: ReadonlyArray<Matcher>): Matcher => (turn) => {
  let all: Captures = {}
  for (const matcher of matchers) {
    const found = matcher(turn)
    if (found === false) return false
    all = { ...all, ...(found === true ? {} : found) }
  }
  return all
}

/** One of them holds; found is what the first one has found. */
export const anyOf = (...matchers: ReadonlyArray<Matcher>): Matcher => (turn) => {
  for (const matcher of matchers) {
    const found = matcher(turn)
    if (found !== false) return found
  }
  return false
}

/** None of them holds. */
export const noneOf = (...matchers: ReadonlyArray<Matcher>): Matcher => (turn) =>
  matchers.every((matcher) => matcher(turn) === false)
