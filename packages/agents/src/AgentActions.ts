import { AppId } from "@trunkline/kernel"
import { Schema } from "effect"
import { Localized, optional, VariableName } from "./Templates.js"

/** Part of a conversation that the next agent is told: all of it, its last turns, or a summary by the model. */
export const HistoryMode = Schema.Literal("keep", "last_turns", "summary")
export type HistoryMode = typeof HistoryMode.Type

/** Most turns of the caller that a cut history has. */
const maxTurns = 50

/** An agent to which a call may be handed over, in the same call: the model gets the tool `hand_over` for it. */
export const HandOver = Schema.Struct({
  /** The agent that goes on with the call. */
  app_id: AppId,
  /** Its version; absent: the newest that is committed. */
  app_version: optional(Schema.Int.pipe(Schema.greaterThanOrEqualTo(1))),
  /** Situation in which the model hands over, such as "The caller asks about an invoice". */
  when: Schema.NonEmptyString,
  /** Part of the conversation that the next agent is told; `keep`, all of it, by default. */
  history: optional(HistoryMode),
  /** Number of turns of the caller with which a history of `last_turns` begins, 1 to 50; 6 by default. */
  last_turns: optional(Schema.Int.pipe(Schema.between(1, maxTurns))),
  /** Template of the first words of the next agent; absent: its model, or its script, goes on by itself. */
  first_words: optional(Localized),
  /** State, or step of a script, in which the next agent begins. */
  initial_state_name: optional(Schema.NonEmptyString)
}).pipe(Schema.filter(({ history, last_turns }) =>
  last_turns === undefined || history === "last_turns"
    ? []
    : [{ path: ["last_turns"], message: "needs history: \"last_turns\"" }]
))
export type HandOver = typeof HandOver.Type

/** Most digits of an entry. */
const maxDigits = 32

/** Digits that the caller enters with the keys of the telephone: the model gets the tool `collect_digits` for it. */
export const DigitEntry = Schema.Struct({
  /** Name by which the model asks for the entry, and by which tools get its digits. */
  name: VariableName,
  /** Description for the model, such as "The 16 digits of the payment card". */
  description: Schema.NonEmptyString,
  /** Fewest digits, 1 to 32; 1 by default. */
  min: optional(Schema.Int.pipe(Schema.between(1, maxDigits))),
  /** Most digits, 1 to 32, after which the entry is over; 32 by default. */
  max: optional(Schema.Int.pipe(Schema.between(1, maxDigits))),
  /** Key that ends the entry; `#` by default. */
  terminator: optional(Schema.Literal("#", "*", "none")),
  /** Pause after a key that ends the entry, in seconds from 1 to 30; 5 by default. */
  digit_seconds: optional(Schema.Number.pipe(Schema.between(1, 30))),
  /** Longest time of a try, in seconds from 5 to 300, counted from the end of the words that ask for it; 30 by default. */
  seconds: optional(Schema.Number.pipe(Schema.between(5, 300))),
  /** Number of times that the caller is asked again when digits are missing, 0 to 5; 1 by default. */
  retries: optional(Schema.Int.pipe(Schema.between(0, 5))),
  /** Fate of words meanwhile: `ignore` them by default, or take the `digits` that are spoken. */
  speech: optional(Schema.Literal("ignore", "digits")),
  /** Receivers of the digits: the `tools` of the agent alone, by default, or its `model` as well. */
  reveal: optional(Schema.Literal("tools", "model")),
  /** Template of the words that ask for the digits; absent: "Please enter it with the keys of your phone." */
  say: optional(Localized)
}).pipe(
  Schema.filter(({ max = maxDigits, min = 1 }) =>
    min <= max ? [] : [{ path: ["min"], message: `is more than max, which is ${max}` }]
  )
)
export type DigitEntry = typeof DigitEntry.Type

/** The caller is put on hold: the model gets the tool `hold_caller` for it. */
export const Hold = Schema.Struct({
  /** Template of what the caller is told when the hold begins, and again and again; absent: nothing. */
  message: optional(Localized),
  /** Time between two messages, in seconds from 5 to 120; 20 by default. */
  every_seconds: optional(Schema.Number.pipe(Schema.between(5, 120))),
  /** Longest hold, in seconds from 5 to 600; 120 by default. */
  max_seconds: optional(Schema.Number.pipe(Schema.between(5, 600)))
})
export type Hold = typeof Hold.Type

/** Parts of a version that switch on tools of the conversation. */
interface Actions {
  readonly hand_overs?: ReadonlyArray<HandOver>
  readonly digit_entries?: ReadonlyArray<DigitEntry>
  readonly hold?: Hold
}

/** Names of the tools that a version has for what it does in the call itself, each with the field that switches it on. */
export const actionTools = { hand_over: "hand_overs", collect_digits: "digit_entries", hold_caller: "hold" } as const
export type ActionTool = keyof typeof actionTools

const toolNames = ["hand_over", "collect_digits", "hold_caller"] as const

/** The tools of the conversation that a version switches on. */
export const actionToolsOf = (actions: Actions): ReadonlyArray<ActionTool> =>
  toolNames.filter((name) => {
    const value = actions[actionTools[name]]
    return Array.isArray(value) ? value.length > 0 : value !== undefined
  })
