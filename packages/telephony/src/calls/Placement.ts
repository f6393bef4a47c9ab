import type { Effect } from "effect"
import type { CallOutcome } from "./CallOutcome.js"

/** What came of placing a call. */
export type Placement =
  | CallOutcome
  /** It was certainly not dialled, and is not to be any more now: the attempt can be taken back. */
  | { readonly _tag: "Withdrawn" }
  /** It was not dialled: the work belongs to another process now, which settles the attempt. Nothing is left to be done here. */
  | { readonly _tag: "Disowned" }

/** When a call may be dialled. */
export interface PlaceOptions {
  /** From this moment on it may not, epoch milliseconds of business time; null (default): always. */
  readonly deadline?: number | null
  /**
   * Asked before a dial that was not answered is placed again, which may be minutes later: whether it may still be
   * dialled, were it placed for the first time. By default it may.
   */
  readonly mayDial?: Effect.Effect<boolean>
}

/** What became of an attempt that was under way when its process stopped. */
export type Recovered =
  /** It was certainly never dialled, and can be. */
  | { readonly _tag: "Redial" }
  /** It is over. */
  | { readonly _tag: "Ended"; readonly outcome: CallOutcome }
  /** Its call goes on; the effect carries it to its end, and must be run. */
  | { readonly _tag: "GoesOn"; readonly outcome: Effect.Effect<CallOutcome> }
  /** The work belongs to another process now. */
  | { readonly _tag: "Disowned" }

/** What recovering an attempt needs to know. */
export interface RecoverOptions {
  /** Whether it may be dialled now, were it placed for the first time: the window, the campaign's status, who is blocked. */
  readonly mayDial: Effect.Effect<boolean>
}
