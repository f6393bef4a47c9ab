import { languageNameOf, unknownLanguage } from "@trunkline/spoken-text"
import { Schema } from "effect"

/** Predefined callees of the simulated network. */
export const CalleeName = Schema.Literal(
  "answer",
  "busy",
  "no_answer",
  "decline",
  "invalid",
  "provider_error",
  "hang_up_early",
  "voicemail"
)
export type CalleeName = typeof CalleeName.Type

/** One turn of a scripted callee. A plain string is spoken. */
export const CalleeTurn = Schema.Union(
  Schema.String,
  Schema.Struct({
    say: Schema.optional(Schema.String),
    /** English translation of `say`, when `say` is in another language. */
    en: Schema.optional(Schema.String),
    /** English name or code of the language, such as `Hindi` or `hi-IN`; the agent's own when absent. */
    language: Schema.optional(
      Schema.String.pipe(Schema.filter((text) => languageNameOf(text) === undefined ? unknownLanguage : true))
    ),
    press: Schema.optional(Schema.String),
    /** Interrupts the agent. */
    interrupt: Schema.optional(Schema.Boolean),
    /** Seconds before acting; default 1. */
    after_seconds: Schema.optional(Schema.NonNegative),
    /** Hangs up instead of, or after, speaking. */
    hang_up: Schema.optional(Schema.Boolean)
  })
)
export type CalleeTurn = typeof CalleeTurn.Type

/** The other side of a simulated call: a predefined callee, or a script of turns followed by silence. */
export const Callee = Schema.Union(CalleeName, Schema.Array(CalleeTurn).pipe(Schema.minItems(1)))
export type Callee = typeof Callee.Type

/** Assigns a callee to numbers by suffix. */
export const SimulatorRule = Schema.Struct({
  suffix: Schema.String.pipe(
    Schema.pattern(/^\d{1,15}$/, { message: () => "Must be the last digits of a number, 1 to 15 of them" })
  ),
  callee: Callee
})
export type SimulatorRule = typeof SimulatorRule.Type

/** The callee of a number: that of the first rule whose suffix matches, otherwise `fallback`. */
export const calleeFor = (
  rules: ReadonlyArray<SimulatorRule>,
  fallback: Callee,
  number: string
): Callee => rules.find((rule) => number.endsWith(rule.suffix))?.callee ?? fallback

/** Reaction to a dialled number. */
export type CalleeReaction =
  | { readonly _tag: "Refused"; readonly reason: string }
  | {
    readonly _tag: "NotAnswered"
    readonly status: "busy" | "no_answer" | "failed"
    readonly reason: string | null
    readonly afterSeconds: number
  }
  | { readonly _tag: "Answered"; readonly afterSeconds: number; readonly behavior: CalleeBehavior }

/** Behavior of a callee after answering. */
export interface CalleeBehavior {
  /** Seconds after answering at which the callee hangs up; null for never. */
  readonly hangsUpAfterSeconds: number | null
  /** The callee's n-th turn, counted from 0, given the agent's language; null for silence. */
  readonly turn: (index: number, language: string) => Exclude<CalleeTurn, string> | null
}

const english = ["Yes, speaking.", "Yes, that is fine.", "Yes, I will.", "Thank you, goodbye."]
const hindi = ["हाँ, बोल रहा हूँ।", "हाँ, ठीक है।", "हाँ, मैं कर दूँगा।", "धन्यवाद, अलविदा।"]

const cooperative: CalleeBehavior = {
  hangsUpAfterSeconds: null,
  turn: (index, language) => {
    const position = Math.min(index, english.length - 1)
    const en = english[position] ?? ""
    return language === "Hindi"
      ? { say: hindi[position] ?? en, en, language }
      : { say: en, language: "English" }
  }
}

const voicemail: CalleeBehavior = {
  hangsUpAfterSeconds: 30,
  turn: (index) =>
    index === 0
      ? {
        say: "The person you are calling is not available. Please leave a message after the tone.",
        language: "English",
        interrupt: true
      }
      : null
}

/** Seconds of ringing before the call is answered: 2 to 6, always the same for a number. */
const ringSeconds = (number: string): number => 2 + [...number].reduce((sum, digit) => sum + digit.charCodeAt(0), 0) % 5

const behaviorOf = (turns: ReadonlyArray<CalleeTurn>): CalleeBehavior => ({
  hangsUpAfterSeconds: null,
  turn: (index) => {
    const turn = turns[index]
    return turn === undefined ? null : typeof turn === "string" ? { say: turn } : turn
  }
})

/** The reaction of a callee to a dialled number. */
export const reactionOf = (callee: Callee, number: string): CalleeReaction => {
  const afterSeconds = ringSeconds(number)
  const answer = (person: CalleeBehavior): CalleeReaction => ({ _tag: "Answered", afterSeconds, behavior: person })
  const noAnswer = (
    status: "busy" | "no_answer" | "failed",
    reason: string | null,
    seconds: number
  ): CalleeReaction => ({
    _tag: "NotAnswered",
    status,
    reason,
    afterSeconds: seconds
  })
  if (typeof callee !== "string") return answer(behaviorOf(callee))
  switch (callee) {
    case "answer":
      return answer(cooperative)
    case "hang_up_early":
      return answer({ ...cooperative, hangsUpAfterSeconds: 4 })
    case "voicemail":
      return answer(voicemail)
    case "busy":
      return noAnswer("busy", null, 2)
    case "no_answer":
      return noAnswer("no_answer", null, Infinity)
    case "decline":
      return noAnswer("busy", "declined", afterSeconds)
    case "invalid":
      return noAnswer("failed", "simulator: invalid_number", 1)
    case "provider_error":
      return { _tag: "Refused", reason: "simulator: service unavailable" }
  }
}
