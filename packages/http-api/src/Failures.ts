import { type Failure, mainRules, NotServedHere, Unavailable } from "@trunkline/errors"
import { isStoreOutage, type StoreBusy, type StoreUnavailable } from "@trunkline/kernel"
import { Array, Cause, Option, Predicate } from "effect"
import { RejectedRequest } from "./request/RequestValidation.js"

const isFailure = (error: unknown): error is Failure =>
  Predicate.hasProperty(error, "_tag") && Predicate.isString(error._tag) && Object.hasOwn(mainRules, error._tag)

const storeUnavailable = ({ retryAfter }: StoreBusy | StoreUnavailable): Failure =>
  new Unavailable({ message: "The data store is not available at the moment. Try again.", retryAfter })

/** Failure that a known defect stands for. */
const failureOfDefect = (defect: unknown): Option.Option<Failure> =>
  defect instanceof RejectedRequest
    ? Option.some(defect.failure)
    : isStoreOutage(defect)
    ? Option.some(storeUnavailable(defect))
    : defect instanceof NotServedHere
    ? Option.some(defect)
    : Option.none()

/** Failure that a cause comes down to; none for unexpected defects. */
export const failureOf = (cause: Cause.Cause<unknown>): Option.Option<Failure> => {
  const rejection = Array.findFirst(Cause.defects(cause), failureOfDefect)
  return Option.isSome(rejection) ? rejection : Option.filter(Cause.failureOption(cause), isFailure)
}
