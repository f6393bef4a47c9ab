import { Data } from "effect"
import { type FieldError, TrunklineError } from "../TrunklineError.js"

/** Fields of every failure, as `TrunklineError` has them. */
interface Failed {
  readonly message: string
  readonly code: string
  readonly status: number | null
  readonly requestId: string | null
  readonly issues: ReadonlyArray<FieldError>
  /** Seconds. */
  readonly retryAfter: number | null
}

/** The request is invalid, or breaks a rule: status 400, 413, 415 and 422. `issues` has the fields at fault. */
export class Invalid extends Data.TaggedError("Invalid")<Failed> {}

/** The key is missing, unknown or revoked, or has no access: status 401 and 403. */
export class NotAllowed extends Data.TaggedError("NotAllowed")<Failed> {}

/** There is no such resource for this key: status 404. */
export class NotFound extends Data.TaggedError("NotFound")<Failed> {}

/** A rate limit, a budget or the credits are exhausted: status 402 and 429. */
export class LimitReached extends Data.TaggedError("LimitReached")<Failed> {}

/** The server failed, or cannot serve this now: any other status. */
export class Unavailable extends Data.TaggedError("Unavailable")<Failed> {}

/** There is no answer: the connection failed, or the time ran out. */
export class NoAnswer extends Data.TaggedError("NoAnswer")<Failed> {}

/** Failure of an operation. */
export type Failure = Invalid | NotAllowed | NotFound | LimitReached | Unavailable | NoAnswer

const kinds = {
  400: Invalid,
  401: NotAllowed,
  402: LimitReached,
  403: NotAllowed,
  404: NotFound,
  413: Invalid,
  415: Invalid,
  422: Invalid,
  429: LimitReached
}

const isKnown = (status: number): status is keyof typeof kinds => status in kinds

/** The failure of an error; undefined for one that no operation fails with, such as a mistake in its options. */
export const failureOf = (error: unknown): Failure | undefined => {
  if (!(error instanceof TrunklineError)) return undefined
  const { code, issues, message, requestId, retryAfter, status } = error
  const fields = { code, issues, message, requestId, retryAfter, status }
  if (status === null) return issues.length > 0 ? new Invalid(fields) : new NoAnswer(fields)
  return isKnown(status) ? new kinds[status](fields) : new Unavailable(fields)
}
