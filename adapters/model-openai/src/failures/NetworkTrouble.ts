import { ModelFailed, ModelUnavailable } from "@trunkline/errors"
import { networkErrorOf } from "@trunkline/http-upstream"
import { brokenOff, nonsense, type Trouble } from "./Trouble.js"

/** How far an attempt had come: the connection was not there yet, it was, or the answer had begun to arrive. */
export type Progress = "connecting" | "connected" | "begun"

/** Errors of ours that look like those of a connection. */
const ours = /^UND_ERR_(INVALID_ARG|CLOSED|DESTROYED)$/

/** What an error of the connection means. */
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
