/** Sentences of callers: those that refuse all further calls, and those that do not. */
export interface Sentences {
  readonly refusals: ReadonlyArray<string>
  readonly others: ReadonlyArray<string>
}
