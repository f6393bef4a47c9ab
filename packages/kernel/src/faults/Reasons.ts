import { Array, Cause, Effect, Option, Predicate } from "effect"
import { describeCause } from "../concurrency/RetryForever.js"
import { secretPatterns } from "./Redaction.js"

/** Longest reason in UTF-16 units. */
const maxReasonLength = 300

/** Part of a message that is looked at: some servers repeat whole prompts in theirs. */
const maxReadLength = 2_000

/** Patterns of secrets and personal data in a message, with what is written in their place. */
const secrets: ReadonlyArray<readonly [pattern: RegExp, replacement: string]> = [
  ...secretPatterns,
  [/(?<![\w-])(?=[\w+/=.-]*\d)(?=[\w+/=.-]*[A-Za-z])[\w+/=.-]{32,}/gu, "***"],
  [/\+?\d[\d\s()-]{5,}\d/gu, "***"]
]

const messageOf = (error: unknown): string =>
  typeof error === "string"
    ? error
    : Predicate.hasProperty(error, "message") && typeof error.message === "string"
    ? error.message
    : ""

/**
 * The message of an error for people: one line of at most 300 characters without keys, tokens, passwords, e-mail addresses
 * and phone numbers, and without punctuation that waits for more. Empty when the error has none.
 *
 * @example
 * ```ts
 * reasonOf(new Error("Incorrect API key provided: sk-proj-4a7d1ed4")) // "Incorrect API key provided: ***"
 * ```
 */
export const reasonOf = (error: unknown): string => {
  const line = messageOf(error).slice(0, maxReadLength).replace(/\s+/gu, " ").trim()
  const plain = secrets.reduce((text, [pattern, replacement]) => text.replace(pattern, replacement), line)
  const short = plain.length > maxReasonLength ? `${plain.slice(0, maxReasonLength - 1)}…` : plain
  return withoutLooseEnd(short)
}

/** The errors behind an error: its cause, and those of an `AggregateError`. */
const causesOf = (error: unknown): ReadonlyArray<unknown> => {
  const cause = Predicate.hasProperty(error, "cause") ? [error.cause] : []
  const errors = Predicate.hasProperty(error, "errors") && Array.isArray(error.errors) ? error.errors : []
  return [...cause, ...errors]
}

/** An object without a message, by its class and its code. */
const describeObject = (value: object): string => {
  const name = value instanceof Error && value.name !== "" && value.name !== "Error" ? value.name : undefined
  const kind = name === undefined ? value instanceof Error ? "an error" : "an object" : `the error ${name}`
  const code = Predicate.hasProperty(value, "code") ? value.code : undefined
  const suffix = typeof code === "string" || typeof code === "number" ? ` and with the code ${code}` : ""
  return `threw ${kind} without a message${suffix}`
}

const describeThrown = (value: unknown): string => {
  switch (typeof value) {
    case "object":
      return value === null ? "threw null" : describeObject(value)
    case "string":
      return "threw an empty text"
    case "function":
    case "symbol":
      return `threw a ${typeof value}`
    default:
      return `threw ${String(value)}`
  }
}

/**
 * The reason for a failure of the host's own code, as {@link reasonOf}. Where the error has no message, it is that of the
 * error behind it, or says what was thrown.
 *
 * @example
 * ```ts
 * reasonOfThrown(undefined) // "threw undefined"
 * ```
 */
export const reasonOfThrown = (thrown: unknown): string => {
  const [reason = reasonOf(describeThrown(thrown))] = [thrown, ...causesOf(thrown)].map(reasonOf).filter(Boolean)
  return reason
}

/** A text without a colon, comma or the like at its end. */
export const withoutLooseEnd = (text: string): string => text.replace(/[\s:;,–—-]+$/u, "")

/** An event and its reason, with a colon between them; only the event, without a reason. */
export const withReason = (message: string, reason: string): string => withoutLooseEnd(`${message}: ${reason}`)

/** The message of a failure, as {@link reasonOf}. A defect has none: its message was not written for people. */
export const reasonOfCause = (cause: Cause.Cause<unknown>): string =>
  Option.match(Cause.failureOption(cause), { onNone: () => "it failed unexpectedly", onSome: reasonOf })

/** Logs what failed and why, with the stack of a defect, and returns the reason. */
export const logFailure = (message: string, cause: Cause.Cause<unknown>): Effect.Effect<string> => {
  const reason = reasonOfCause(cause)
  const stack = Cause.isDie(cause) ? [describeCause(cause)] : []
  return Effect.as(Effect.logWarning(withReason(message, reason), ...stack), reason)
}
