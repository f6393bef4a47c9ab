/** Wordings of one meaning in one language. */
export interface Wording {
  readonly meaning:
    /** All lines to a network are busy, or the network is. */
    | "congestion"
    | "invalid"
    /** The phone takes no calls: its owner or its network does not let them in. */
    | "barred"
    | "switchedOff"
    /** The phone is out of coverage, or not reachable for a reason that is not told. */
    | "unreachable"
    | "outOfService"
    | "busy"
    | "noAnswer"
    /** A wish to try again, with which a number exists: it tells nothing else. */
    | "tryLater"
    /** A wish to check the number, which counts only where nothing else is told. */
    | "checkNumber"
  /** Phrases, each from the beginning of a word; `…` stands for other words of the same sentence. */
  readonly phrases: ReadonlyArray<string>
}
