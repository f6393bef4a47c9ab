import type { ProviderCall } from "./Dialect.js"

/** Words of a provider, with what each says of a call. */
export type OutcomeWords = Readonly<Record<string, ProviderCall>>

/** A call that nobody has answered yet. */
export const ringing: ProviderCall = { state: "ringing", failure: null }

/** A call that was answered. */
export const talking: ProviderCall = { state: "talking", failure: null }

/** A call that was connected and is over, or of which nothing more is known. */
export const connected: ProviderCall = { state: "over", failure: null }

/** A call that was not connected. */
export const failed = (
  status: NonNullable<ProviderCall["failure"]>["status"],
  reason: string | null = null
): ProviderCall => ({ state: "over", failure: { status, reason } })

/** The row of a word in a table; null where it has none. */
export const outcomeIn = (table: OutcomeWords, word: string): ProviderCall | null =>
  Object.hasOwn(table, word) ? table[word] ?? null : null
