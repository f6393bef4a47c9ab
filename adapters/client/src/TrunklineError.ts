/** A problem of one field of a request. */
export interface FieldError {
  /** Path of the field among the arguments of the method, such as `["app_config", "app_id"]`. */
  readonly loc: ReadonlyArray<string | number>
  /** The problem, in words. */
  readonly msg: string
  /** Kind of the problem, such as `missing`. */
  readonly type: string
}

/** Fields of a `TrunklineError`. */
interface ErrorFields {
  readonly message: string
  readonly code: string
  readonly status: number | null
  readonly requestId?: string | null
  readonly issues?: ReadonlyArray<FieldError>
  readonly retryAfter?: number | null
  readonly cause?: unknown
}

/** An operation failed: the server refused it, or could not be reached. */
export class TrunklineError extends Error {
  override readonly name = "TrunklineError"
  /** Distinguishes this error from others. */
  readonly _tag = "TrunklineError"
  /**
   * Code of the failure as the server gives it, such as `not_found_error`; `validation_error` where it gives only fields. Without
   * an answer `connection_failed` or `timeout`; `invalid_answer` for one that is not the API's.
   */
  readonly code: string
  /** HTTP status; null when there is no answer. */
  readonly status: number | null
  /** Id of the request, for the server's logs; null when there is none. */
  readonly requestId: string | null
  /** Problems of fields; empty when no field is at fault. */
  readonly issues: ReadonlyArray<FieldError>
  /** Seconds after which the request may succeed; null when the server does not say. */
  readonly retryAfter: number | null

  constructor({ cause, code, issues = [], message, requestId = null, retryAfter = null, status }: ErrorFields) {
    super(message, cause === undefined ? {} : { cause })
    this.code = code
    this.status = status
    this.requestId = requestId
    this.issues = issues
    this.retryAfter = retryAfter
  }
}

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === "object" && value !== null && !Array.isArray(value)

/** Parts of a request that begin the locations of issues over HTTP. */
const parts: ReadonlyArray<unknown> = ["body", "query", "path"]

const isIssue = (value: unknown): value is FieldError =>
  isObject(value) && Array.isArray(value["loc"]) && typeof value["msg"] === "string"

/** Issues whose places are in the arguments of a method. */
const issuesOf = (detail: unknown): ReadonlyArray<FieldError> =>
  (Array.isArray(detail) ? detail : []).filter(isIssue).map((issue) => ({
    ...issue,
    loc: issue.loc.length > 1 && parts.includes(issue.loc[0]) ? issue.loc.slice(1) : issue.loc
  }))

/** Issue of the field that the object of chat, responses and models names. */
const paramIssue = (param: unknown, msg: string): ReadonlyArray<FieldError> =>
  typeof param === "string" && param !== ""
    ? [{ loc: param.split(".").map((part) => /^\d+$/.test(part) ? Number(part) : part), msg, type: "value_error" }]
    : []

const parseJson = (text: string): unknown => {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** Seconds of a `Retry-After`, which holds seconds or a date; null for neither. */
const secondsOf = (header: string | null): number | null => {
  if (header === null) return null
  const seconds = /^\d+$/.test(header.trim()) ? Number(header) : (Date.parse(header) - Date.now()) / 1_000
  return Number.isFinite(seconds) ? Math.max(0, seconds) : null
}

/** The error of an `error` object, of a status and headers that are known. */
const errorOf = (
  body: Readonly<Record<string, unknown>>,
  { headers, status }: { readonly headers: Headers; readonly status: number }
): TrunklineError => {
  const error = isObject(body["error"]) ? body["error"] : {}
  const issues = issuesOf(body["detail"])
  const list = issues.map(({ loc, msg }) => `${loc.join(".")}: ${msg}`).join("\n")
  const message = typeof error["message"] === "string" ? error["message"] : list || `The server answered ${status}`
  return new TrunklineError({
    message,
    code: typeof error["code"] === "string" ? error["code"] : issues.length > 0 ? "validation_error" : "invalid_answer",
    status,
    requestId: typeof error["request_id"] === "string" ? error["request_id"] : headers.get("x-request-id"),
    issues: issues.length > 0 ? issues : paramIssue(error["param"], message),
    retryAfter: secondsOf(headers.get("retry-after"))
  })
}

/**
 * Reads the failure of a response from any of the API's three envelopes: the error object, that of OpenAI with `type` and `param`,
 * and that of boards with a code of its own; each may have, or only be, a `detail` of fields.
 */
export const failureOf = async (response: Response): Promise<TrunklineError> => {
  const body = parseJson(await response.text().catch(() => ""))
  if (isObject(body)) return errorOf(body, response)
  const { headers, status } = response
  return new TrunklineError({
    message: `The server answered ${status} with something that is not the API's: is the base URL right?`,
    code: "invalid_answer",
    status,
    requestId: headers.get("x-request-id"),
    retryAfter: secondsOf(headers.get("retry-after"))
  })
}

/** Reads the failure that an event of a stream reports in the place of its next event; undefined for any other event. */
export const failureOfEvent = (event: unknown, response: Response): TrunklineError | undefined =>
  isObject(event) && isObject(event["error"]) && event["type"] === undefined ? errorOf(event, response) : undefined
