import { ModelFailed, ModelUnavailable } from "@trunkline/errors"
import { networkErrorOf } from "@trunkline/http-upstream"
import { brokenOff, nonsense, type Trouble } from "./Trouble.js"

/** Progress of an attempt: not connected yet, connected, or the answer has begun to arrive. */
export type Progress = "connecting" | "connected" | "begun"

/** Codes of errors on our own side: the upstream may well be reachable. */
const ours = /^UND_ERR_(INVALID_ARG|CLOSED|DESTROYED)$/

/** Translates an error of the connection. A connection that was never made is marked as `unreachable`. */
export const networkTrouble = (error: unknown, progress: Progress): Trouble => {
  const { code, isNotHttp, reason } = networkErrorOf(error)
  if (isNotHttp) return nonsense(code)
  if (progress === "begun") return brokenOff(code)
  const unreachable = progress === "connecting" && !ours.test(code)
  return {
    failure: reason === undefined
      ? new ModelFailed({ message: "The request to the model failed. Try again." })
      : new ModelUnavailable({ message: `The model cannot be reached: ${reason}`, ...unreachable && { unreachable } }),
    note: code
  }
}
