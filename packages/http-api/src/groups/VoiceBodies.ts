import { HttpApiSchema } from "@effect/platform"
import { CreateFields, GenerateFields, referenceFile, StreamFields, Voice, voiceFile } from "@trunkline/speech"
import { Schema } from "effect"
import type { BodySize } from "../RouteAnnotations.js"

const File = Schema.Unknown.annotations({ jsonSchema: { type: "string", format: "binary" } })

/** The form that saves a voice (shapes 8.1). The domain reads it, part by part, as it does the others. */
export const CreateVoiceForm = HttpApiSchema.MultipartStream(Schema.Struct({ ...CreateFields.fields, file: File }))

/** The form that asks for a stream of speech (specification, voices/clone/stream). */
export const StreamForm = HttpApiSchema.MultipartStream(StreamFields)

/** The form that asks for a whole speech (specification, voices/clone). */
export const GenerateForm = HttpApiSchema.MultipartStream(
  Schema.Struct({ ...GenerateFields.fields, ref_audio: Schema.optional(File) })
)

/** What the fields beside a file may take, with what forms need around them. */
const fieldsBytes = 262_144

/** How large the forms may be. */
export const largest = {
  create: { bytes: voiceFile.limitBytes + fieldsBytes, values: 0 },
  generate: { bytes: referenceFile.limitBytes + fieldsBytes, values: 0 },
  stream: { bytes: fieldsBytes, values: 0 }
} as const satisfies Record<string, BodySize>

/** A voice that was saved (shapes 8.1). `data` repeats two of the fields, so that either kind of reader works. */
export const CreatedVoice = Schema.Struct({
  ...Voice.fields,
  request_id: Schema.NullOr(Schema.String),
  data: Schema.Struct({ voice_id: Voice.fields.voice_id, reference_text: Schema.String })
}).annotations({ identifier: "CreatedVoice" })

/** That a voice is gone. */
export const VoiceDeleted = Schema.Struct({
  voice_id: Voice.fields.voice_id,
  deleted: Schema.Literal(true)
}).annotations({ identifier: "VoiceDeleted" })

/** A whole speech (specification, voices/clone). */
export const SpeechBody = Schema.Struct({
  /** Base64 of the sound in the codec that was asked for. */
  audio_b64: Schema.String,
  request_id: Schema.NullOr(Schema.String),
  audio: Schema.String.annotations({
    jsonSchema: { type: "string", deprecated: true, description: "The same as audio_b64" }
  }),
  /** In seconds. */
  audio_duration: Schema.NullOr(Schema.Number)
}).annotations({ identifier: "Speech" })

/** A stream of sound; its content type follows the codec. */
export const SoundStream = HttpApiSchema.Uint8Array({ contentType: "audio/mpeg" })
