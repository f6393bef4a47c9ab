import { HttpApiEndpoint, HttpApiGroup, HttpApiSchema, OpenApi } from "@effect/platform"
import { listParameters, pageOf, VoiceId } from "@trunkline/kernel"
import {
  CreateFields,
  GenerateFields,
  referenceFile,
  StreamFields,
  Voice,
  voiceFile,
  voiceSorts
} from "@trunkline/speech"
import { Schema } from "effect"
import {
  Error402,
  Error404,
  Error413,
  Error422,
  Error500,
  Error502,
  Error504,
  VoicesError400,
  VoicesError429,
  VoicesError503
} from "../errors/ErrorSchemas.js"
import { VoicesAdmission } from "./Admission.js"
import { betaEndpoint, BodyLimit, type BodySize, LimitedBy, RouteImportance } from "./RouteDeclaration.js"

const File = Schema.Unknown.annotations({ jsonSchema: { type: "string", format: "binary" } })

/** Form that saves a voice. All forms are parsed part by part, by the speech package. */
const CreateVoiceForm = HttpApiSchema.MultipartStream(Schema.Struct({ ...CreateFields.fields, file: File }))

/** Form that requests streamed speech. */
const StreamForm = HttpApiSchema.MultipartStream(StreamFields)

/** Form that requests speech as JSON. */
const GenerateForm = HttpApiSchema.MultipartStream(
  Schema.Struct({ ...GenerateFields.fields, ref_audio: Schema.optional(File) })
)

/** Bytes for the fields beside a file, with the overhead of the form. */
const fieldsBytes = 262_144

/** Largest bodies of the forms. */
export const formLimits = {
  create: { bytes: voiceFile.limitBytes + fieldsBytes, values: 0 },
  generate: { bytes: referenceFile.limitBytes + fieldsBytes, values: 0 },
  stream: { bytes: fieldsBytes, values: 0 }
} as const satisfies Record<string, BodySize>

/** Saved voice. `data` repeats two of its fields for clients that expect them there. */
const CreatedVoice = Schema.Struct({
  ...Voice.fields,
  request_id: Schema.NullOr(Schema.String),
  data: Schema.Struct({ voice_id: Voice.fields.voice_id, reference_text: Schema.String })
}).annotations({ identifier: "CreatedVoice" })

/** Response to the deletion of a voice. */
const VoiceDeleted = Schema.Struct({
  voice_id: Voice.fields.voice_id,
  deleted: Schema.Literal(true)
}).annotations({ identifier: "VoiceDeleted" })

/** Generated speech. */
const SpeechBody = Schema.Struct({
  /** Base64 of the audio in the requested codec. */
  audio_b64: Schema.String,
  request_id: Schema.NullOr(Schema.String),
  audio: Schema.String.annotations({
    jsonSchema: { type: "string", deprecated: true, description: "The same as audio_b64" }
  }),
  /** Duration in seconds. */
  audio_duration: Schema.NullOr(Schema.Number)
}).annotations({ identifier: "Speech" })

/** Streamed audio; its content type depends on the codec. */
const AudioStream = HttpApiSchema.Uint8Array({ contentType: "audio/mpeg" })

const voice = Schema.Struct({ voice_id: VoiceId })
const query = listParameters({ sortable: voiceSorts })

/** Errors of the routes that accept a form. */
const FormError = Schema.Union(
  VoicesError400,
  Error422,
  Error402,
  VoicesError429,
  Error500,
  Error502,
  VoicesError503,
  Error504,
  Error413
)

/** Cloned voices, and speech in them. */
export class VoicesGroup extends HttpApiGroup.make("voices", { topLevel: true })
  .annotate(OpenApi.Description, "Cloned voices, and speech in them.")
  .add(
    HttpApiEndpoint.post("voices.create", "/voices/create")
      .annotate(OpenApi.Summary, "Save a voice")
      .setPayload(CreateVoiceForm)
      .addSuccess(CreatedVoice)
      .addError(FormError)
      .annotate(LimitedBy, "voice_cloning")
      .annotate(BodyLimit, formLimits.create)
  )
  .add(
    HttpApiEndpoint.post("voices.speak", "/voices/clone/stream")
      .annotate(OpenApi.Summary, "Stream speech")
      .setPayload(StreamForm)
      .addSuccess(AudioStream)
      .addError(FormError)
      .annotate(LimitedBy, "voice_cloning")
      .annotate(BodyLimit, formLimits.stream)
  )
  .add(
    HttpApiEndpoint.post("voices.generate", "/voices/clone")
      .annotate(OpenApi.Summary, "Generate speech")
      .annotateContext(betaEndpoint("In beta, which means that it may still change. It is enabled for every key."))
      .setPayload(GenerateForm)
      .addSuccess(SpeechBody)
      .addError(FormError)
      .annotate(LimitedBy, "voice_cloning")
      .annotate(BodyLimit, formLimits.generate)
  )
  .add(
    HttpApiEndpoint.get("voices.list", "/voices")
      .annotate(OpenApi.Summary, "List voices")
      .setUrlParams(query)
      .addSuccess(pageOf(Voice))
      .addError(Error422)
      .annotate(LimitedBy, "voices")
  )
  .add(
    HttpApiEndpoint.get("voices.get", "/voices/:voice_id")
      .annotate(OpenApi.Summary, "Get a voice")
      .setPath(voice)
      .addSuccess(Voice)
      .addError(Error404)
      .addError(Error422)
      .annotate(LimitedBy, "voices")
  )
  .add(
    HttpApiEndpoint.del("voices.remove", "/voices/:voice_id")
      .annotate(OpenApi.Summary, "Delete a voice")
      .setPath(voice)
      .addSuccess(VoiceDeleted)
      .addError(Error404)
      .addError(Error422)
      .annotate(LimitedBy, "voices")
  )
  .annotate(RouteImportance, "conversation")
  .middleware(VoicesAdmission)
{}
