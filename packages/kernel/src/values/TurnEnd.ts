import { Schema } from "effect"

/**
 * Rule that ended a turn of the caller. `silence`: the pause was as long as the policy asks for. `words`: the pause was long
 * enough already when its words were known. `longest_turn`: the caller spoke for as long as a turn may last. `key_pause`: no key
 * followed for a while. `key_terminator`: the key `#`. `key_limit`: as many keys as an entry may have. `call_ended`: the call
 * ended after keys.
 */
const TurnEndRule = Schema.Literal(
  "silence",
  "words",
  "longest_turn",
  "key_pause",
  "key_terminator",
  "key_limit",
  "call_ended"
)

/** Decision that a turn of the caller is over, with what it was made of. All times are milliseconds of line time. */
export const TurnEnd = Schema.Struct({
  rule: TurnEndRule,
  /** Time without a voice, or since the last key, at the decision. */
  waited_ms: Schema.Number,
  /** Time that the rule asks for: of silence, or of the whole turn for `longest_turn`; null if it asks for none. */
  required_ms: Schema.NullOr(Schema.Number),
  /**
   * Judgement of the policy about the words: `finished`, `unfinished`, `number` or `none` of the default policy, or the text of another
   * one; null where there was none.
   */
  completeness: Schema.NullOr(Schema.String),
  /** Probability, from 0 to 1, that a model of turns gave for the end of the turn; absent where none answered in time. */
  completion: Schema.optionalWith(Schema.Number.pipe(Schema.between(0, 1)), { exact: true }),
  /** Time from the first to the last voice of the turn; null for keys. */
  spoken_ms: Schema.NullOr(Schema.Number),
  /** The agent had been given the words before the turn was over, so that it could prepare its answer. */
  prepared: Schema.Boolean
})
export type TurnEnd = typeof TurnEnd.Type
