import { HttpApiEndpoint, HttpApiGroup, OpenApi } from "@effect/platform"
import { listParameters, pageOf, VoiceId } from "@trunkline/kernel"
import { Voice, voiceSorts } from "@trunkline/speech"
import { Schema } from "effect"
import { VoicesAdmission } from "../Admission.js"
import { checked } from "../Checked.js"
import {
  BadVoice,
  Missing,
  SpeakingFailed,
  TooLarge,
  TooLate,
  TooManyForVoices,
  Unpaid,
  Unprocessable,
  Unrecorded,
  VoicesOutOfService
} from "../Reported.js"
import { inBeta, LargestBody, LimitedBy, Matters } from "../RouteAnnotations.js"
import {
  CreatedVoice,
  CreateVoiceForm,
  GenerateForm,
  largest,
  SoundStream,
  SpeechBody,
  StreamForm,
  VoiceDeleted
} from "./VoiceBodies.js"

const one = Schema.Struct({ voice_id: VoiceId })
const query = checked("query", listParameters({ sortable: voiceSorts }))

/** Failures of the routes that take a form. */
const FormFailure = Schema.Union(
  BadVoice,
  Unprocessable,
  Unpaid,
  TooManyForVoices,
  SpeakingFailed,
  Unrecorded,
  VoicesOutOfService,
  TooLate,
  TooLarge
)

/**
 * Cloned voices, and what is spoken with them (specification, Voice-cloned speech; shapes 8). Listing, showing and
 * deleting voices are extensions.
 */
export class VoicesGroup extends HttpApiGroup.make("voices")
  .annotate(OpenApi.Description, "Cloned voices, and speech in them.")
  .add(
    HttpApiEndpoint.post("create", "/voices/create")
      .annotate(OpenApi.Summary, "Save a voice")
      .setPayload(CreateVoiceForm)
      .addSuccess(CreatedVoice)
      .addError(FormFailure)
      .annotate(LimitedBy, "voice_cloning")
      .annotate(LargestBody, largest.create)
  )
  .add(
    HttpApiEndpoint.post("stream", "/voices/clone/stream")
      .annotate(OpenApi.Summary, "Stream speech")
      .setPayload(StreamForm)
      .addSuccess(SoundStream)
      .addError(FormFailure)
      .annotate(LimitedBy, "voice_cloning")
      .annotate(LargestBody, largest.stream)
  )
  .add(
    HttpApiEndpoint.post("generate", "/voices/clone")
      .annotate(OpenApi.Summary, "Generate speech")
      .annotateContext(inBeta("In beta, which means that it may still change. Every key may use it."))
      .setPayload(GenerateForm)
      .addSuccess(SpeechBody)
      .addError(FormFailure)
      .annotate(LimitedBy, "voice_cloning")
      .annotate(LargestBody, largest.generate)
  )
  .add(
    HttpApiEndpoint.get("list", "/voices")
      .annotate(OpenApi.Summary, "List voices")
      .setUrlParams(query)
      .addSuccess(pageOf(Voice))
      .addError(Unprocessable)
      .annotate(LimitedBy, "voices")
  )
  .add(
    HttpApiEndpoint.get("get", "/voices/:voice_id")
      .annotate(OpenApi.Summary, "Get a voice")
      .setPath(one)
      .addSuccess(Voice)
      .addError(Missing)
      .annotate(LimitedBy, "voices")
  )
  .add(
    HttpApiEndpoint.del("remove", "/voices/:voice_id")
      .annotate(OpenApi.Summary, "Delete a voice")
      .setPath(one)
      .addSuccess(VoiceDeleted)
      .addError(Missing)
      .annotate(LimitedBy, "voices")
  )
  .annotate(Matters, "conversation")
  .middleware(VoicesAdmission)
{}
