import { Timestamp, VoiceId } from "@trunkline/kernel"
import { LanguageCode } from "@trunkline/spoken-text"
import { Schema } from "effect"

/** What a voice is meant for (shapes 8.1). */
export const VoiceStyle = Schema.Literal("conversational", "audiobooks", "entertainment", "sales")
export type VoiceStyle = typeof VoiceStyle.Type

/** How a voice sounds. */
export const VoiceGender = Schema.Literal("male", "female")
export type VoiceGender = typeof VoiceGender.Type

/** A saved voice (shapes 8.1). It belongs to an account, whose keys all may use it. */
export class Voice extends Schema.Class<Voice>("Voice")({
  voice_id: VoiceId,
  name: Schema.String,
  /** The language of the clip. */
  language: LanguageCode,
  style: VoiceStyle,
  gender: Schema.NullOr(VoiceGender),
  /** What is said in the clip; empty when nobody knows. */
  reference_text: Schema.String,
  /** How long the clip is, in seconds. */
  reference_duration: Schema.Finite,
  created_at: Timestamp
}) {}
