import { Context } from "effect"
import { type EndOfTurn, endOfTurnByWords } from "./EndOfTurn.js"

/** Options of turn-taking. All times are milliseconds of line time; a held call has none. */
export interface TurnTakingOptions {
  /** Policy for the end of the caller's turn; default `endOfTurnByWords`. */
  readonly endOfTurn: EndOfTurn
  /** Silence after which the words of a turn are asked for; default 200. */
  readonly askAfter: number
  /** Voice within 300 ms that stops the agent's sound; default 200. At 0 callers cannot interrupt by voice. */
  readonly bargeIn: number
  /** Silence without words after an interruption, after which the agent resumes; default 1,500. */
  readonly resumeAfter: number
  /** Length of a turn without a pause after which its words are taken; default 30,000. */
  readonly longestTurn: number
}

/** The defaults of {@link TurnTakingOptions}. */
export const turnTakingDefaults: TurnTakingOptions = {
  endOfTurn: endOfTurnByWords,
  askAfter: 200,
  bargeIn: 200,
  resumeAfter: 1_500,
  longestTurn: 30_000
}

/** The options of turn-taking; provide this reference to override the defaults. */
export class TurnTakingOption extends Context.Reference<TurnTakingOption>()("@trunkline/turn-taking/TurnTakingOption", {
  defaultValue: (): TurnTakingOptions => turnTakingDefaults
}) {}
