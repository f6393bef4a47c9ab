import type { DigitEntry } from "@trunkline/agents"
import type { ToolRequest } from "@trunkline/models"

/** An action for which the model has asked, and which begins after the words of the same response. */
export type WaitingAction =
  /** `route` is the place of the hand-over among those of the agent. */
  | { readonly _tag: "HandOver"; readonly request: ToolRequest; readonly route: number; readonly reason: string }
  | { readonly _tag: "Digits"; readonly request: ToolRequest; readonly entry: DigitEntry }
  | { readonly _tag: "Hold"; readonly request: ToolRequest; readonly seconds: number }

/** A hand-over whose history is being summarised. */
export interface Summarising extends Omit<Extract<WaitingAction, { readonly _tag: "HandOver" }>, "_tag"> {
  readonly _tag: "Summary"
  readonly since: number
}

/** An entry of digits that goes on. Times are epoch milliseconds. */
export interface DigitProgress {
  readonly _tag: "Digits"
  readonly request: ToolRequest
  readonly entry: DigitEntry
  readonly digits: string
  /** Number of times that the caller was asked again. */
  readonly retries: number
  /** Begin of the entry, and of its present try. */
  readonly since: number
  readonly tryAt: number
  /** Last key or spoken digits of the try; null before the first. */
  readonly keyAt: number | null
}

/** A hold that goes on. Times are epoch milliseconds. */
export interface HoldProgress {
  readonly _tag: "Hold"
  readonly request: ToolRequest
  readonly since: number
  readonly until: number
  /** Time of the next message; infinite without one. */
  readonly messageAt: number
  /** True once the caller has been told. */
  readonly isTold: boolean
}

/** Digits that the caller has entered, and whether the model knows them. */
export interface EnteredDigits {
  readonly digits: string
  readonly isRevealed: boolean
}

/** State of what an agent does in the call itself: hand-overs, entries of digits, and holds. */
export interface ActionState {
  /** Place of the agent that has the call in the team of the plan. */
  readonly agent: number
  /** Number of hand-overs in the call. */
  readonly handOvers: number
  /** State in which the agent began by a hand-over; null without one. */
  readonly stateName: string | null
  /** Agents that have had the call since the caller spoke, by their places. */
  readonly hadCall: ReadonlyArray<number>
  readonly waiting: WaitingAction | null
  readonly running: Summarising | DigitProgress | HoldProgress | null
  /** Entries of the call by their names. */
  readonly entries: Readonly<Record<string, EnteredDigits>>
}

/** The state of a call that begins. */
export const noActions: ActionState = {
  agent: 0,
  handOvers: 0,
  stateName: null,
  hadCall: [],
  waiting: null,
  running: null,
  entries: {}
}

/** True from the request for digits until they have been entered. */
export const isSecret = ({ running, waiting }: ActionState): boolean =>
  running?._tag === "Digits" || waiting?._tag === "Digits"

/** Digits by the names of their entries, for tools. */
export const digitsByName = ({ entries }: ActionState): Readonly<Record<string, string>> =>
  Object.fromEntries(Object.entries(entries).map(([name, { digits }]) => [name, digits]))

/** Sign in place of a digit that may not be shown. */
export const hiddenDigit = "•"

/** A text in which no entry of digits can be read, also where it has spaces or dashes in it. */
const withoutEntries = (entries: ReadonlyArray<EnteredDigits>) => (text: string): string =>
  entries.reduce((text, { digits }) => {
    const pattern = new RegExp(`(?<!\\d)${[...digits].join("[\\s.,-]*")}(?!\\d)`, "gu")
    return text.replace(pattern, (foundText) => foundText.replace(/\d/gu, hiddenDigit))
  }, text)

/** Masks all entries of a call, for records. */
export const maskForRecord = ({ entries }: ActionState): (text: string) => string =>
  withoutEntries(Object.values(entries))

/** Masks the entries of a call that the model may not know. */
export const maskForModel = ({ entries }: ActionState): (text: string) => string =>
  withoutEntries(Object.values(entries).filter(({ isRevealed }) => !isRevealed))
