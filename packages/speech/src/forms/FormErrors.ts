import type { ClipRejected, CodecsBusy, CodecUnavailable } from "@trunkline/audio"
import { BadRequest, Invalid, ModelUnavailable } from "@trunkline/errors"
import { Duration } from "effect"

/** A `BadRequest` about one field of a form. */
export const badRequest = (param: string, message: string) => new BadRequest({ param, message })

/** An `Invalid` error about a field whose value does not fit another field. */
export const invalidField = (field: string, msg: string) => Invalid.at(["body", field], "value_error", msg)

const toUnavailable = ({ message }: CodecsBusy) => new ModelUnavailable({ message, retryAfter: Duration.seconds(5) })

/** Client error for a codec that is not installed, or whose workers are all busy (then with a retry after 5 seconds). */
export const toCodecError = (failure: CodecUnavailable | CodecsBusy): BadRequest | ModelUnavailable =>
  failure._tag === "CodecsBusy" ? toUnavailable(failure) : badRequest("output_audio_codec", failure.message)

/** Client error for an audio clip that cannot be decoded; `param` is the field that holds the clip. */
export const toClipError =
  (param: string) => (failure: ClipRejected | CodecUnavailable | CodecsBusy): BadRequest | ModelUnavailable =>
    failure._tag === "CodecsBusy"
      ? toUnavailable(failure)
      : badRequest(param, `${param} cannot be used. ${failure.message}`)
