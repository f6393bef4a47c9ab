import { ModelFailed, ModelUnavailable } from "@trunkline/errors"
import { networkErrorOf } from "@trunkline/http-upstream"
import { brokenOff, nonsense, type Trouble } from "./Trouble.js"

/** What an error of the connection means; `begun`: the answer had begun to arrive. */
export const networkTrouble = (error: unknown, begun: boolean): Trouble => {
  const { code, isNotHttp, reason } = networkErrorOf(error)
  if (isNotHttp) return nonsense(code)
  if (begun) return brokenOff(code)
  return {
    failure: reason === undefined
      ? new ModelFailed({ message: "The request to the model failed. Try again." })
      : new ModelUnavailable({ message: `The model cannot be reached: ${reason}` }),
    note: code
  }
}
