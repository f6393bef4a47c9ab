import type { Clip } from "@trunkline/audio"
import { type BodyTooLarge, Invalid } from "@trunkline/errors"
import { LanguageCode } from "@trunkline/spoken-text"
import { Effect, Schema, Struct } from "effect"
import { boundedText, fieldDecoder, RefText } from "../forms/FormFields.js"
import { type FileField, readVoiceForm, type VoiceForm } from "../forms/VoiceForm.js"
import { VoiceGender, VoiceStyle } from "./VoiceStore.js"

/** The fields of `POST /voices/create`, without the file. */
export const CreateFields = Schema.Struct({
  name: boundedText(100).pipe(Schema.pattern(/\S/, { message: () => "Should not be empty" })),
  language: LanguageCode,
  style: Schema.optionalWith(VoiceStyle, { default: () => "conversational" as const }),
  gender: Schema.optional(VoiceGender),
  /** The transcript of the clip, for installations without a transcriber and clients that know it exactly. */
  ref_text: Schema.optional(RefText)
})

/** A request to save a voice. */
export interface NewVoice {
  readonly name: string
  /** The language of the clip. */
  readonly language: LanguageCode
  readonly style: VoiceStyle
  readonly gender: VoiceGender | null
  readonly clip: Clip
  /** The transcript of the clip; null when the client did not send one. */
  readonly text: string | null
}

/** The clip of a voice to save: at most 50 MB. */
export const voiceFile: FileField = { name: "file", limitBytes: 52_428_800 }

const decodeFields = fieldDecoder(CreateFields)

/** Reads the form of `POST /voices/create`. Fails with `Invalid` on bad or missing fields. */
export const readCreateForm = <E>(form: VoiceForm<E>): Effect.Effect<NewVoice, E | Invalid | BodyTooLarge> =>
  Effect.gen(function*() {
    const { clip, texts, unknown } = yield* readVoiceForm(form, {
      names: Struct.keys(CreateFields.fields),
      file: voiceFile
    })
    const { gender = null, ref_text, ...fields } = yield* decodeFields(texts, unknown)
    if (clip === null) return yield* Invalid.at(["body", "file"], "missing", "This field is required")
    return { ...fields, gender, clip, text: ref_text ?? null }
  })
