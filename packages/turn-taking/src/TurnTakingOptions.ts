import { Context, Struct } from "effect"
import { type EndOfTurn, endOfTurnByModel, maxPause } from "./EndOfTurn.js"

/** Options of turn-taking. All times are milliseconds of line time; a held call has none. */
export interface TurnTakingOptions {
  /** Policy for the end of the caller's turn; default `endOfTurnByModel`, by words where no model of turns is provided. */
  readonly endOfTurn: EndOfTurn
  /** Silence after which the words of a turn are asked for, 20 to 3,000; default 200. */
  readonly askAfter: number
  /** Voice within 300 ms that stops the agent's sound, up to 300; default 200. At 0 callers cannot interrupt by voice. */
  readonly bargeIn: number
  /** Silence without words after an interruption, after which the agent resumes, up to 60,000; default 1,500. */
  readonly resumeAfter: number
  /** Length of a turn without a pause after which its words are taken, 1,000 to 600,000; default 30,000. */
  readonly longestTurn: number
  /**
   * Pause after which keys are an entry of their own, up to 60,000; default 500. `#` and the 64th key end an entry at once,
   * and at 0 every key does.
   */
  readonly keyPause: number
  /**
   * Time by the clock within which a listener must tell the words of a turn, up to 600,000; default 10,000. Otherwise the call
   * ends as a fault.
   */
  readonly wordsTimeout: number
  /** Time within which each sound of the voice must come, 20 to 600,000; default 10,000. Otherwise the call ends as a fault. */
  readonly voiceTimeout: number
}

/** The defaults of {@link TurnTakingOptions}. */
export const turnTakingDefaults: TurnTakingOptions = {
  endOfTurn: endOfTurnByModel,
  askAfter: 200,
  bargeIn: 200,
  resumeAfter: 1_500,
  longestTurn: 30_000,
  keyPause: 500,
  wordsTimeout: 10_000,
  voiceTimeout: 10_000
}

/** Least and greatest values of the options; voice is looked for within 300 ms. */
const ranges = {
  askAfter: [20, maxPause],
  bargeIn: [0, 300],
  resumeAfter: [0, 60_000],
  longestTurn: [1_000, 600_000],
  keyPause: [0, 60_000],
  wordsTimeout: [1, 600_000],
  voiceTimeout: [20, 600_000]
} as const

/** The problems of options, as sentences; empty when they can be used. */
export const turnTakingProblems = (options: TurnTakingOptions): ReadonlyArray<string> =>
  Struct.entries(ranges).flatMap(([name, [from, to]]) =>
    options[name] >= from && options[name] <= to
      ? []
      : [`${name} must be from ${from} to ${to} ms, not ${options[name]}`]
  )

/** The options of turn-taking; provide this reference to override the defaults. */
export class TurnTakingOption extends Context.Reference<TurnTakingOption>()("@trunkline/turn-taking/TurnTakingOption", {
  defaultValue: (): TurnTakingOptions => turnTakingDefaults
}) {}
