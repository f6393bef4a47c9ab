/** What came of a try of a delivery. */
export type TryResult =
  | { readonly end: "delivered" }
  /** Another try would fail as well. */
  | { readonly end: "failed"; readonly error: string }
  /** Another try may succeed; `asked` is how long the receiver wants to be left alone, in milliseconds. */
  | { readonly end: "retry"; readonly error: string; readonly asked: number }
  /** The delivery belongs to somebody else by now, or to nobody: there is nothing to record. */
  | { readonly end: "lost" }
