/**
 * Rule of what is left out of traces: a kind of data (`numbers` are those of four digits or more), the value of a variable of the
 * call wherever it stands, or what fits a regular expression, with the name of its placeholder.
 */
export type TraceRule =
  | "phone_numbers"
  | "emails"
  | "card_numbers"
  | "numbers"
  | { readonly variable: string }
  | { readonly pattern: string; readonly name: string }

/** Traces of calls, from which they can be replayed through other versions of their agents. */
export interface TraceOption {
  /** Keeps what was heard and when, and what the model and the tools answered, for each call. */
  readonly keep: boolean
  /**
   * Rules of what is left out before a trace is stored; `phone_numbers`, `emails` and `card_numbers` by default. Keys, passwords and the
   * caller's own number are always left out.
   */
  readonly redact?: ReadonlyArray<TraceRule>
}
