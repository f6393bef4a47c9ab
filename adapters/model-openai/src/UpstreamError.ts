import { ModelFailed, ModelRateLimited, ModelUnavailable } from "@trunkline/errors"
import { networkErrorOf } from "@trunkline/http-client"
import type { ModelFailure } from "@trunkline/models"
import { Duration } from "effect"

/** An error of one attempt: the failure for the caller, and a short note for the log. Neither quotes the upstream. */
export interface UpstreamError {
  readonly failure: ModelFailure
  readonly note: string
}

/** An answer that cannot be read. */
export const invalidAnswer = (note: string): UpstreamError => ({
  failure: new ModelFailed({ message: "The model gave an answer that makes no sense. Try again." }),
  note
})

/** An answer that ended before it was complete. */
export const truncatedAnswer = (note: string): UpstreamError => ({
  failure: new ModelFailed({ message: "The model's answer broke off. Try again." }),
  note
})

/** An answer that exceeds the size limit. */
export const oversizedAnswer = (limitBytes: number): UpstreamError => ({
  failure: new ModelFailed({ message: `The model's answer is larger than the limit of ${limitBytes} bytes` }),
  note: "too large"
})

/** A request that got no connection because all of them are in use; it says nothing about the upstream. */
export const noFreeConnectionError: UpstreamError = {
  failure: new ModelRateLimited({
    message: "Too many requests wait for the model already",
    retryAfter: Duration.seconds(1)
  }),
  note: "no free connection"
}

/** Progress of an attempt: not connected yet, connected, or the answer has begun to arrive. */
export type Progress = "connecting" | "connected" | "begun"

/** Codes of errors on our side: the upstream may well be reachable. */
const ownErrors = /^UND_ERR_(INVALID_ARG|CLOSED|DESTROYED)$/

/** Translates an error of the connection. A connection that was never made is marked as `unreachable`. */
export const networkError = (error: unknown, progress: Progress): UpstreamError => {
  const { code, isNotHttp, reason } = networkErrorOf(error)
  if (isNotHttp) return invalidAnswer(code)
  if (progress === "begun") return truncatedAnswer(code)
  const unreachable = progress === "connecting" && !ownErrors.test(code)
  return {
    failure: reason === undefined
      ? new ModelFailed({ message: "The request to the model failed. Try again." })
      : new ModelUnavailable({ message: `The model cannot be reached: ${reason}`, ...unreachable && { unreachable } }),
    note: code
  }
}
