import type { Clip } from "@trunkline/audio"
import { type BodyTooLarge, Invalid } from "@trunkline/errors"
import { LanguageCode } from "@trunkline/spoken-text"
import { Effect, Schema, Struct } from "effect"
import { VoiceGender, VoiceStyle } from "../voices/Voice.js"
import { readFields, refText, textUpTo } from "./Fields.js"
import { type FileField, readVoiceForm, type VoiceForm } from "./VoiceForm.js"

/** The fields of `POST /voices/create` but the file (shapes 8.1). `ref_text` is an extension. */
export const CreateFields = Schema.Struct({
  name: textUpTo(100).pipe(Schema.pattern(/\S/, { message: () => "Should not be empty" })),
  language: LanguageCode,
  style: Schema.optionalWith(VoiceStyle, { default: () => "conversational" as const }),
  gender: Schema.optional(VoiceGender),
  /** What is said in the clip, for who has no transcriber or knows better. */
  ref_text: Schema.optional(refText)
})

/** A voice that somebody wants to save. */
export interface NewVoice {
  readonly name: string
  /** The language of the clip. */
  readonly language: LanguageCode
  readonly style: VoiceStyle
  readonly gender: VoiceGender | null
  readonly clip: Clip
  /** What is said in the clip; null when the caller does not say. */
  readonly text: string | null
}

/** The clip of a voice that is saved (shapes 8.1). */
export const voiceFile: FileField = { name: "file", limitBytes: 52_428_800 }

const decoded = readFields(CreateFields)

/** Reads the form of `POST /voices/create`. */
export const readCreateForm = <E>(form: VoiceForm<E>): Effect.Effect<NewVoice, E | Invalid | BodyTooLarge> =>
  Effect.gen(function*() {
    const { clip, texts } = yield* readVoiceForm(form, { names: Struct.keys(CreateFields.fields), file: voiceFile })
    const { gender = null, ref_text, ...fields } = yield* decoded(texts)
    if (clip === null) return yield* Invalid.at(["body", "file"], "missing", "This field is required")
    return { ...fields, gender, clip, text: ref_text ?? null }
  })
