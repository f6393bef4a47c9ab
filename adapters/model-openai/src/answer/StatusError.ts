import { BadRequest, ModelFailed, ModelRateLimited, ModelTimedOut, ModelUnavailable } from "@trunkline/errors"
import { defaultRetryAfter, statusErrorKind } from "@trunkline/http-client"
import { isJsonObject, type JsonObject, listOf, parseJson } from "@trunkline/kernel"
import type { ModelFailure } from "@trunkline/models"
import type { Duration } from "effect"
import type { UpstreamError } from "../UpstreamError.js"
import { textIn } from "./Fields.js"

/** The error text of an upstream. It may repeat prompts and keys, so it is only matched and never shown. */
export interface ErrorText {
  /** HTTP status that the error names; null if it names none. */
  readonly status: number | null
  /** Its codes and types, in lower case, separated by spaces. */
  readonly codes: string
  /** Beginning of the message, in lower case. */
  readonly message: string
  /** Path in the request that it names; empty if it names none. */
  readonly param: string
}

const noErrorText: ErrorText = { status: null, codes: "", message: "", param: "" }

/** Messages may repeat whole prompts. */
const maxCharacters = 2_000

const statusIn = (value: unknown): number | null => {
  const status = typeof value === "number" || typeof value === "string" ? Number(value) : 0
  return Number.isInteger(status) && status >= 400 && status < 600 ? status : null
}

const errorTextOf = (body: JsonObject): ErrorText => {
  const error = isJsonObject(body.error) ? body.error : { ...body, message: body.error ?? body.message ?? body.detail }
  const codes = [error.code, error.type, error.status, body.error_type].map(textIn).join(" ")
  return {
    status: [error.code, error.status, body.status, body.code].map(statusIn).find((status) => status !== null) ?? null,
    codes: codes.slice(0, maxCharacters).toLowerCase(),
    message: textIn(error.message).slice(0, maxCharacters).toLowerCase(),
    param: textIn(error.param).slice(0, maxCharacters)
  }
}

/** Reads the error in a JSON value, in the formats of common servers; null if there is none. */
export const errorIn = (value: unknown): ErrorText | null => {
  const [first] = listOf(value)
  const body = first ?? value
  return isJsonObject(body) && (body.error || body.object === "error" || body.type === "error")
    ? errorTextOf(body)
    : null
}

/** Reads the text of an error in any format. */
export const readErrorText = (text: string): ErrorText => {
  const value = parseJson(text)
  return errorIn(value)
    ?? (isJsonObject(value)
      ? errorTextOf(value)
      : { ...noErrorText, message: text.slice(0, maxCharacters).toLowerCase() })
}

const contextExceeded =
  /context.?(length|window|size)|maximum context|max_prompt|too many (input )?tokens|(prompt|input) is too long|inputs?`? must have less/

const contentRejected = /content.?(policy|filter|management|violation)|moderation|responsible.?ai|safety|flagged/

/** Codes that are more specific than the status they come with. */
const specificCodes: ReadonlyArray<readonly [code: RegExp, status: number]> = [
  [/insufficient_quota|billing|insufficient_balance/, 402],
  [/invalid_api_key|authentication|permission|unauthorized/, 401],
  [/model_not_found|not_found_error|notfounderror/, 404]
]

/** Codes of errors without a status, such as those inside a stream. */
const codesWithoutStatus: ReadonlyArray<readonly [code: RegExp, status: number]> = [
  [/rate.?limit|too_many_requests/, 429],
  [/overload|unavailable|capacity/, 503],
  [/time.?out|deadline/, 504],
  [/invalid|bad.?request|validation|unsupported/, 400]
]

const statusFor = (table: ReadonlyArray<readonly [code: RegExp, status: number]>, codes: string): number | undefined =>
  table.find(([code]) => code.test(codes))?.[1]

/** Request fields that a path may begin with. */
const fields: ReadonlySet<string> = new Set([
  "messages",
  "temperature",
  "top_p",
  "top_k",
  "max_tokens",
  "stop",
  "seed",
  "presence_penalty",
  "frequency_penalty",
  "tools",
  "tool_choice",
  "response_format",
  "reasoning_effort",
  "logprobs",
  "top_logprobs"
])

const rejectedRequest = (error: ErrorText): BadRequest => {
  const field = /^\w+/.exec(error.param)?.[0] ?? ""
  const param = fields.has(field) ? field : null
  const place = param === null ? "" : `: it does not accept its ${param}`
  return new BadRequest({ message: `The model's provider does not accept this request${place}`, param })
}

const failureByStatus = (status: number, error: ErrorText, retryAfter: Duration.Duration | null): ModelFailure => {
  switch (statusErrorKind(status)) {
    case "badRequest":
      return rejectedRequest(error)
    case "tooLarge":
      return new BadRequest({ message: "The request is too large for the model's provider", param: null })
    case "unauthorized":
      return new ModelUnavailable({ message: "The model's provider refused our key", lasting: true })
    case "paymentRequired":
      return new ModelUnavailable({ message: "Our account with the model's provider is used up", lasting: true })
    case "notFound":
      return new ModelUnavailable({ message: "The model's provider does not have this model", lasting: true })
    case "timeout":
      return new ModelTimedOut({ message: "The model's provider did not answer in time" })
    case "rateLimited":
      return new ModelRateLimited({
        message: "The model's provider has had enough requests for now",
        retryAfter: retryAfter ?? defaultRetryAfter
      })
    case "overloaded":
      return new ModelUnavailable({
        message: "The model is overloaded or out of service. Try again later.",
        ...retryAfter !== null && { retryAfter }
      })
    case "unsupportedType":
    case "failed":
      return new ModelFailed({ message: "The model's provider failed. Try again." })
  }
}

/** Statuses of invalid requests; only for these the message says why. */
const rejectionStatuses: ReadonlySet<number> = new Set([400, 403, 413, 422])

const failureByText = (status: number, { codes, message }: ErrorText): BadRequest | null => {
  const text = rejectionStatuses.has(status) ? `${codes} ${message}` : codes
  if (contextExceeded.test(text)) {
    return new BadRequest({ message: "The request does not fit into the context of this model", param: null })
  }
  return contentRejected.test(text)
    ? new BadRequest({ message: "The model's provider does not accept this content", param: null })
    : null
}

/** Translates an error of an upstream. `status` is that of the response; 200 for an error inside a stream. */
export const statusError = (
  status: number,
  error: ErrorText,
  retryAfter: Duration.Duration | null = null
): UpstreamError => {
  const reportedStatus = status < 400 ? error.status ?? statusFor(codesWithoutStatus, error.codes) ?? 500 : status
  const effective = statusFor(specificCodes, error.codes) ?? reportedStatus
  return {
    failure: failureByText(effective, error) ?? failureByStatus(effective, error, retryAfter),
    note: `status ${status}, as ${effective}`
  }
}
