import { Schema } from "effect"

const SentToken = Schema.Struct({
  /** Number of the utterance. */
  of: Schema.Number,
  token: Schema.String,
  /** Code of the language. */
  lang: Schema.String,
  isLast: Schema.optionalWith(Schema.Boolean, { exact: true }),
  /** Moment at which it was stored, in epoch milliseconds. */
  at: Schema.optionalWith(Schema.Number, { exact: true })
})

/** A token of an utterance that is about to be sent; the last one ends it. */
export type SentToken = typeof SentToken.Type

/** Entries of the log of a relay: messages of the provider as they arrived, and tokens. */
const Entry = Schema.parseJson(Schema.Union(Schema.Struct({ heards: Schema.String }), SentToken))

export const writeEntry = Schema.encodeSync(Entry)
export const readEntry = Schema.decodeSync(Entry)
