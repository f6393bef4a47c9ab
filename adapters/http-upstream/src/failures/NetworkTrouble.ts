import { ModelFailed, ModelUnavailable } from "@trunkline/errors"
import { networkErrorOf } from "./NetworkError.js"
import { brokenOff, nonsense, type Trouble, usualPause } from "./Trouble.js"

/** A server that starts anew, or that closed a connection just as it was taken for another request. */
const passing = /^(ECONNREFUSED|ECONNRESET|EPIPE|UND_ERR_SOCKET|EAI_AGAIN)$/

/** What an error of the connection means; `begun`: the answer had begun to arrive. */
export const networkTrouble = (who: string, error: unknown, begun: boolean): Trouble => {
  const { code, isNotHttp, reason } = networkErrorOf(error)
  if (isNotHttp) return nonsense(who, code)
  if (begun) return brokenOff(who, code)
  return {
    failure: reason === undefined
      ? new ModelFailed({ message: `The request to the ${who} failed. Try again.` })
      : new ModelUnavailable({ message: `The ${who} cannot be reached: ${reason}` }),
    note: code,
    again: passing.test(code) ? usualPause : null
  }
}
