/** One fault of a request's input, at its field. */
export interface FieldIssue {
  readonly path: ReadonlyArray<string | number>
  readonly message: string
}

/** Pause before a request that was refused for a moment is sent again, in milliseconds. */
export const refusalPause = 5000

/** A request that failed, as a sentence for a person. */
export class Failure extends Error {
  override readonly name = "Failure"

  constructor(
    message: string,
    /** HTTP status; 0 when no answer came. */
    readonly status: number,
    readonly requestId: string | null,
    readonly issues: ReadonlyArray<FieldIssue>
  ) {
    super(message)
  }

  /** True for a limit that was met and for a busy server: a page that stays open is behind for a moment, not broken. */
  get isOfTheMoment(): boolean {
    return this.status === 429 || this.status === 503
  }
}

const isRecord = (value: unknown): value is Record<string, unknown> => typeof value === "object" && value !== null

const issueOf = (value: unknown): ReadonlyArray<FieldIssue> => {
  if (!isRecord(value) || typeof value["msg"] !== "string") return []
  const loc = Array.isArray(value["loc"]) ? value["loc"] : []
  const path = loc.filter((part) => typeof part === "string" || typeof part === "number")
  return [{ path: path[0] === "body" || path[0] === "query" ? path.slice(1) : path, message: value["msg"] }]
}

const sentences: Readonly<Record<number, string>> = {
  0: "The server does not answer. Check that it runs, and that you are online.",
  401: "The key is missing or was revoked. Sign in again.",
  403: "This key may not do that.",
  404: "This does not exist, or not any more.",
  413: "This is too large.",
  429: "Too many requests. Wait a moment, then try again.",
  500: "The server met an error of its own. Its log has the request id.",
  503: "The server is busy or its database is away. Try again in a few seconds."
}

/** Reads an error envelope of the API; all three kinds have `error.message`, and those of input `detail`. */
export const failureOf = (status: number, body: unknown, requestId: string | null): Failure => {
  const error = isRecord(body) && isRecord(body["error"]) ? body["error"] : {}
  const detail = isRecord(body) && Array.isArray(body["detail"]) ? body["detail"] : []
  const text = typeof error["message"] === "string"
    ? error["message"]
    : sentences[status] ?? `The server answered ${status}.`
  return new Failure(
    text,
    status,
    typeof error["request_id"] === "string" ? error["request_id"] : requestId,
    detail.flatMap(issueOf)
  )
}

/** The sentence for any error. */
export const sentenceOf = (error: unknown): string => (error instanceof Error ? error.message : String(error))

/** Failure of a request without an answer. */
export const noAnswer = (): Failure => new Failure(sentences[0] ?? "", 0, null, [])
