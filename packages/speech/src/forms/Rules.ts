import type { ClipRefused, CodecsBusy, CodecUnavailable } from "@trunkline/audio"
import { BadRequest, Invalid, ModelUnavailable } from "@trunkline/errors"
import { VoiceId } from "@trunkline/kernel"
import { Duration, Effect } from "effect"
import { textLimit } from "./Fields.js"

/** A refusal with the field that it is about. */
export const refuse = (param: string, message: string) => new BadRequest({ param, message })

/** Two fields of which only one may be there. */
export const notBoth = (
  texts: Readonly<Record<string, unknown>>,
  [one, other]: readonly [string, string]
): Effect.Effect<void, BadRequest> =>
  texts[one] !== undefined && texts[other] !== undefined
    ? refuse(one, `${one} and ${other} cannot both be sent`)
    : Effect.void

/** The text of a request, if it may be spoken. */
export const spokenText = (text: string): Effect.Effect<string, BadRequest> => {
  if (text.trim() === "") return refuse("text", "text is empty")
  return Array.from(text).length > textLimit
    ? refuse("text", `text has more than ${textLimit} characters`)
    : Effect.succeed(text)
}

const voicePattern = /^svc-[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/i

/** The id of a voice, if it is one. */
export const voiceIdIn = (text: string): Effect.Effect<VoiceId, BadRequest> =>
  voicePattern.test(text)
    ? Effect.succeed(VoiceId.make(text.toLowerCase()))
    : refuse("voice_id", "voice_id is not the id of a voice: svc- and a UUID")

/** A field that does not go with another one. */
export const mismatch = (field: string, msg: string) => Invalid.at(["body", field], "value_error", msg)

const busy = ({ message }: CodecsBusy) => new ModelUnavailable({ message, retryAfter: Duration.seconds(5) })

/** What is said of a codec that this installation does not have, and of one that has too much to do. */
export const codecRefused = (failure: CodecUnavailable | CodecsBusy): BadRequest | ModelUnavailable =>
  failure._tag === "CodecsBusy" ? busy(failure) : refuse("output_audio_codec", failure.message)

/** What is said of a clip that cannot be used, by the field that holds it, and of one that waits for too many others. */
export const clipRefused =
  (param: string) => (failure: ClipRefused | CodecUnavailable | CodecsBusy): BadRequest | ModelUnavailable =>
    failure._tag === "CodecsBusy" ? busy(failure) : refuse(param, `${param} cannot be used. ${failure.message}`)
