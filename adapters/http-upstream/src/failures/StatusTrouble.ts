import { ModelFailed, ModelRateLimited, ModelTimedOut, ModelUnavailable } from "@trunkline/errors"
import { Duration } from "effect"
import type { IncomingHttpHeaders } from "node:http"
import { retryAfter } from "./RetryAfter.js"
import { type Trouble, type UpstreamFailure, usualPause } from "./Trouble.js"

/** What a server may ask to be left alone for, and still be asked again for the same answer. */
const longestPause = Duration.seconds(2)

/** For a server that does not say when to come back: the first pause of the specification's retry guidance. */
const usualRetryAfter = Duration.seconds(1)

const failureOf = (who: string, status: number, wait: Duration.Duration): UpstreamFailure => {
  switch (status) {
    case 400:
    case 413:
    case 415:
    case 422:
      return new ModelFailed({ message: `The ${who} does not accept this request` })
    case 401:
    case 403:
      return new ModelUnavailable({ message: `The ${who} refused our key`, lasting: true })
    case 402:
      return new ModelUnavailable({ message: `Our account with the ${who} is used up`, lasting: true })
    case 404:
      return new ModelUnavailable({ message: `The ${who} does not have this model, or this address`, lasting: true })
    case 408:
    case 504:
    case 524:
      return new ModelTimedOut({ message: `The ${who} did not answer in time` })
    case 429:
      return new ModelRateLimited({ message: `The ${who} has had enough requests for now`, retryAfter: wait })
    case 503:
    case 529:
    case 521:
    case 522:
    case 523:
      return new ModelUnavailable({ message: `The ${who} is overloaded or out of service. Try again later.` })
    default:
      return new ModelFailed({ message: `The ${who} failed. Try again.` })
  }
}

/** After which pause the same request may be sent again. Whoever has had enough is asked again only if it says when. */
const pauseAfter = (status: number, asked: Duration.Duration | null): Duration.Duration | null => {
  if (![429, 502, 503, 504].includes(status) || (status === 429 && asked === null)) return null
  const pause = Duration.max(asked ?? usualPause, usualPause)
  return Duration.lessThanOrEqualTo(pause, longestPause) ? pause : null
}

/**
 * What a status other than 2xx means, redirects included. It tells all: what the body says is not looked at. 52x are
 * those of proxies that do not reach the server behind them, 529 is that of an overloaded one.
 */
export const statusTrouble = (who: string, status: number, headers: IncomingHttpHeaders): Trouble => {
  const asked = retryAfter(headers, Date.now())
  return {
    failure: failureOf(who, status, asked ?? usualRetryAfter),
    note: `status ${status}`,
    again: pauseAfter(status, asked)
  }
}
