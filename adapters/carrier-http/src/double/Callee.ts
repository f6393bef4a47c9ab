/** Somebody whom the double can reach, or cannot. Times are milliseconds of real time. */
export type DoubleCallee =
  /** Picks up, says its lines one by one when listened to, then is silent. */
  | {
    readonly kind: "answers"
    readonly afterMillis: number
    readonly says: ReadonlyArray<string>
    /** Hangs up after so many turns of its own. */
    readonly hangsUpAfter?: number
  }
  /** The call is over without anybody. */
  | {
    readonly kind: "busy" | "no_answer" | "failed" | "provider_error"
    readonly afterMillis: number
    readonly reason?: string
  }
  /** The provider does not take the call: status 422. */
  | { readonly kind: "refused"; readonly code: string }
  /** The provider says that it has not dialled: status 503. */
  | { readonly kind: "unavailable" }

/** Who answers which numbers: the first rule whose `suffix` ends the dialled number wins. */
export interface DoubleRule {
  readonly suffix: string
  readonly callee: DoubleCallee
}

/** Somebody who picks up at once, says two things and then nothing. */
export const politeCallee: DoubleCallee = { kind: "answers", afterMillis: 5, says: ["Yes, speaking.", "Thank you."] }
