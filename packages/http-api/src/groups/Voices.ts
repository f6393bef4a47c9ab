import { HttpApiEndpoint, HttpApiGroup } from "@effect/platform"
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
  VoicesForbidden,
  VoicesOutOfService
} from "../Reported.js"
import { LargestBody, LimitedBy, Matters } from "../RouteAnnotations.js"
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

/**
 * Cloned voices, and what is spoken with them (specification, Voice-cloned speech; shapes 8). Listing, showing and
 * deleting voices are extensions.
 */
export class VoicesGroup extends HttpApiGroup.make("voices")
  .add(
    HttpApiEndpoint.post("create", "/voices/create")
      .setPayload(CreateVoiceForm)
      .addSuccess(CreatedVoice)
      .annotate(LimitedBy, "voice_cloning")
      .annotate(LargestBody, largest.create)
  )
  .add(
    HttpApiEndpoint.post("stream", "/voices/clone/stream")
      .setPayload(StreamForm)
      .addSuccess(SoundStream)
      .annotate(LimitedBy, "voice_cloning")
      .annotate(LargestBody, largest.stream)
  )
  .add(
    HttpApiEndpoint.post("generate", "/voices/clone")
      .setPayload(GenerateForm)
      .addSuccess(SpeechBody)
      .annotate(LimitedBy, "voice_cloning")
      .annotate(LargestBody, largest.generate)
  )
  .add(
    HttpApiEndpoint.get("list", "/voices").setUrlParams(query).addSuccess(pageOf(Voice)).annotate(LimitedBy, "voices")
  )
  .add(
    HttpApiEndpoint.get("get", "/voices/:voice_id")
      .setPath(one)
      .addSuccess(Voice)
      .addError(Missing)
      .annotate(LimitedBy, "voices")
  )
  .add(
    HttpApiEndpoint.del("remove", "/voices/:voice_id")
      .setPath(one)
      .addSuccess(VoiceDeleted)
      .addError(Missing)
      .annotate(LimitedBy, "voices")
  )
  .addError(BadVoice)
  .addError(Unprocessable)
  .addError(VoicesForbidden)
  .addError(Unpaid)
  .addError(TooManyForVoices)
  .addError(SpeakingFailed)
  .addError(Unrecorded)
  .addError(VoicesOutOfService)
  .addError(TooLate)
  .addError(TooLarge)
  .annotate(Matters, "conversation")
  .middleware(VoicesAdmission)
{}
