import { ModelFailed, ModelRateLimited, ModelTimedOut, ModelUnavailable } from "@trunkline/errors"
import { Duration } from "effect"

/** Kinds of error that the status of an upstream's response stands for. */
export type StatusErrorKind =
  /** The request is invalid: 400, 422. */
  | "badRequest"
  /** The request is too large: 413. */
  | "tooLarge"
  /** The type of the body is not supported: 415. */
  | "unsupportedType"
  /** The key is refused: 401, 403. */
  | "unauthorized"
  /** The account is used up: 402. */
  | "paymentRequired"
  /** The model or address is unknown: 404. */
  | "notFound"
  /** The server did not respond in time: 408, 504, and 524 of proxies. */
  | "timeout"
  /** Too many requests: 429. */
  | "rateLimited"
  /** Overloaded or out of service: 503, 529, and 521 to 523 of proxies that do not reach the server behind them. */
  | "overloaded"
  /** Any other status. */
  | "failed"

/** Reasons of a provider's error that its status alone does not tell. */
export type ProviderFault =
  | StatusErrorKind
  /** The key is right, but lacks a permission, or the account a plan. */
  | "forbidden"
  /** The voice does not exist, or not in this account. */
  | "unknownVoice"
  /** The model does not exist, or not in this account. */
  | "unknownModel"
  /** The model does not speak or hear the language. */
  | "unsupportedLanguage"
  /** The sound that was sent has a format that the provider does not take. */
  | "wrongSound"

/**
 * Reads why a provider refused a request: from its status, and its body parsed as JSON, undefined where it is none. Null
 * where the status tells all. It must not keep the body, which may hold texts and keys.
 */
export type FaultReader = (response: { readonly status: number; readonly json: unknown }) => ProviderFault | null

/** Wait reported for a rate limit whose server does not say when to retry. */
export const defaultRetryAfter = Duration.seconds(1)

const lasting = (message: string) => new ModelUnavailable({ message, lasting: true })

/** The failure that a fault is for callers, with the next step. `wait` is that of a rate limit. */
export const failureOf = (
  who: string,
  fault: ProviderFault,
  wait: Duration.Duration = defaultRetryAfter
): ModelFailed | ModelRateLimited | ModelTimedOut | ModelUnavailable => {
  switch (fault) {
    case "badRequest":
    case "unsupportedType":
      return new ModelFailed({ message: `The ${who} does not accept this request` })
    case "tooLarge":
      return new ModelFailed({ message: `The ${who} does not accept this request: it is too large` })
    case "unauthorized":
      return lasting(`The ${who} refused our key; check that it is complete and was not revoked`)
    case "forbidden":
      return lasting(`The ${who} does not let our key do this: check its permissions and the plan of the account`)
    case "paymentRequired":
      return lasting(`Our account with the ${who} is used up: add credit, or raise its limit`)
    case "notFound":
      return lasting(`The ${who} does not have this model, or this address: check both`)
    case "unknownVoice":
      return lasting(`The ${who} does not have this voice: check its id, and that the account may use it`)
    case "unknownModel":
      return lasting(`The ${who} does not have this model: check its name, and that the account may use it`)
    case "unsupportedLanguage":
      return lasting(`The ${who} does not support this language with this model: choose another of either`)
    case "wrongSound":
      return new ModelFailed({ message: `The ${who} does not accept this sound: check the sample rate` })
    case "timeout":
      return new ModelTimedOut({ message: `The ${who} did not answer in time` })
    case "rateLimited":
      return new ModelRateLimited({ message: `The ${who} has had enough requests for now`, retryAfter: wait })
    case "overloaded":
      return new ModelUnavailable({ message: `The ${who} is overloaded or out of service. Try again later.` })
    case "failed":
      return new ModelFailed({ message: `The ${who} failed. Try again.` })
  }
}

/** Faults after which another attempt with the same account may succeed. */
export const passingFaults: ReadonlySet<ProviderFault> = new Set(["timeout", "rateLimited", "overloaded", "failed"])
