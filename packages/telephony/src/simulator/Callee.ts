import { Schema } from "effect"

/** The ready-made people of the simulated network (reference-server, `callee`). */
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

/** One thing a scripted person does when it is their turn. A bare string is said. */
export const CalleeTurn = Schema.Union(
  Schema.String,
  Schema.Struct({
    say: Schema.optional(Schema.String),
    /** The same in English, when `say` is in another language. */
    en: Schema.optional(Schema.String),
    /** English name of the language; the agent's own when absent. */
    language: Schema.optional(Schema.String),
    press: Schema.optional(Schema.String),
    /** Speaks while the agent is still speaking. */
    interrupt: Schema.optional(Schema.Boolean),
    /** Seconds before acting; default 1. */
    after_seconds: Schema.optional(Schema.NonNegative),
    /** Hangs up instead of, or after, speaking. */
    hang_up: Schema.optional(Schema.Boolean)
  })
)
export type CalleeTurn = typeof CalleeTurn.Type

/** A person at the other end: a ready-made one, or what they do turn by turn (then they stay silent). */
export const Callee = Schema.Union(CalleeName, Schema.Array(CalleeTurn).pipe(Schema.minItems(1)))
export type Callee = typeof Callee.Type

/** Who answers which numbers: the first rule whose `suffix` ends the dialled number wins. */
export const SimulatorRule = Schema.Struct({
  suffix: Schema.String.pipe(Schema.pattern(/^\d{1,15}$/)),
  callee: Callee
})
export type SimulatorRule = typeof SimulatorRule.Type

/** The person who answers a number. */
export const calleeFor = (
  rules: ReadonlyArray<SimulatorRule>,
  fallback: Callee,
  number: string
): Callee => rules.find((rule) => number.endsWith(rule.suffix))?.callee ?? fallback

/** What happens when a number is dialled: nobody is reached, or somebody picks up after ringing. */
export type CalleeReaction =
  | { readonly _tag: "Refused"; readonly reason: string }
  | {
    readonly _tag: "NotAnswered"
    readonly status: "busy" | "no_answer" | "failed"
    readonly reason: string | null
    readonly afterSeconds: number
  }
  | { readonly _tag: "Answered"; readonly afterSeconds: number; readonly behavior: CalleeBehavior }

/** A person who has picked up. */
export interface CalleeBehavior {
  /** Seconds after picking up at which they hang up whatever happens; null: never by themselves. */
  readonly hangsUpAfterSeconds: number | null
  /** What they do the n-th time (from 0) it is their turn, given the agent's language; null: nothing. */
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

/** Seconds of ringing before someone picks up: 2 to 6, the same each time for the same number. */
const ringSeconds = (number: string): number => 2 + [...number].reduce((sum, digit) => sum + digit.charCodeAt(0), 0) % 5

const scripted = (turns: ReadonlyArray<CalleeTurn>): CalleeBehavior => ({
  hangsUpAfterSeconds: null,
  turn: (index) => {
    const turn = turns[index]
    return turn === undefined ? null : typeof turn === "string" ? { say: turn } : turn
  }
})

/** How a callee behaves when this number is dialled. */
export const reactionOf = (callee: Callee, number: string): CalleeReaction => {
  const afterSeconds = ringSeconds(number)
  const answered = (person: CalleeBehavior): CalleeReaction => ({ _tag: "Answered", afterSeconds, behavior: person })
  const unanswered = (
    status: "busy" | "no_answer" | "failed",
    reason: string | null,
    seconds: number
  ): CalleeReaction => ({
    _tag: "NotAnswered",
    status,
    reason,
    afterSeconds: seconds
  })
  if (typeof callee !== "string") return answered(scripted(callee))
  switch (callee) {
    case "answer":
      return answered(cooperative)
    case "hang_up_early":
      return answered({ ...cooperative, hangsUpAfterSeconds: 4 })
    case "voicemail":
      return answered(voicemail)
    case "busy":
      return unanswered("busy", null, 2)
    case "no_answer":
      return unanswered("no_answer", null, Infinity)
    case "decline":
      return unanswered("busy", "declined", afterSeconds)
    case "invalid":
      return unanswered("failed", "simulator: invalid_number", 1)
    case "provider_error":
      return { _tag: "Refused", reason: "simulator: service unavailable" }
  }
}
