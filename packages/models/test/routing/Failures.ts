import { BadRequest, ModelFailed, ModelRateLimited, ModelTimedOut, ModelUnavailable } from "@trunkline/errors"
import { Duration } from "effect"

export const unavailable = new ModelUnavailable({ message: "overloaded" })
export const failed = new ModelFailed({ message: "status 500" })
export const timedOut = new ModelTimedOut({ message: "too slow" })
export const refused = new BadRequest({ message: "The prompt does not fit the model's context", param: "messages" })
export const limited = (retryAfter: Duration.DurationInput) =>
  new ModelRateLimited({ message: "enough for now", retryAfter: Duration.decode(retryAfter) })
export const overloaded = (retryAfter: Duration.DurationInput) =>
  new ModelUnavailable({ message: "overloaded", retryAfter: Duration.decode(retryAfter) })
