import { signal } from "@preact/signals"
import { apiPath, place } from "../state/location.js"
import { key, signOut } from "../state/session.js"
import { type Failure, failureOf, noAnswer } from "./failure.js"

/** A request that this page has made, for showing it as curl and as code. */
export interface MadeRequest {
  readonly method: string
  readonly url: string
  readonly body: unknown
  /** Method of the client, such as `campaigns.list`. */
  readonly operation: string
}

const shown = 8

/** The latest requests of the present page, newest first, each operation once. */
export const madeRequests = signal<ReadonlyArray<MadeRequest>>([])

export type Query = Readonly<Record<string, string | number | boolean | null | undefined>>

export interface Options {
  readonly query?: Query
  readonly body?: unknown
  readonly signal?: AbortSignal
  /** `blob` for pictures and sound, `text` for files. JSON by default. */
  readonly as?: "json" | "blob" | "text" | "response"
}

const urlOf = (path: string, query: Query = {}) => {
  const values = Object.entries(query).filter(([, value]) => value !== undefined && value !== null && value !== "")
  const search = new URLSearchParams(values.map(([name, value]) => [name, String(value)]))
  return apiPath + path + (search.size === 0 ? "" : `?${search}`)
}

/** Path of the present workspace in routes of organisations. */
export const W = (): string => `/v1/orgs/${pathPart(place.peek().org)}/workspaces/${pathPart(place.peek().workspace)}`

/** Path of the present workspace in routes of boards. */
export const B = (): string => `/api/analytics/v1/${pathPart(place.peek().org)}/${pathPart(place.peek().workspace)}`

/** Path of the present workspace in routes of analytics. */
export const A = (app: string): string =>
  `/analytics/v1/${pathPart(place.peek().org)}/${pathPart(place.peek().workspace)}/${pathPart(app)}`

export const pathPart = (value: string | null): string => encodeURIComponent(value ?? "")

const jsonOf = async (response: Response): Promise<unknown> => {
  const text = await response.text()
  try {
    return text === "" ? null : JSON.parse(text)
  } catch {
    return null
  }
}

const note = (made: MadeRequest) => {
  const others = madeRequests.peek().filter(({ operation }) => operation !== made.operation)
  madeRequests.value = [made, ...others].slice(0, shown)
}

/**
 * Sends a request with the key of the session. Rejects with a `Failure`; a refused key ends the session, with its reason.
 *
 * @param operation - `METHOD operation.id`, as in the OpenAPI document.
 */
export const request = async <Answer>(operation: string, path: string, options: Options = {}): Promise<Answer> => {
  const [method = "GET", name = ""] = operation.split(" ")
  const url = urlOf(path, options.query)
  note({ method, url, body: options.body ?? null, operation: name })
  const isForm = options.body instanceof FormData
  const response = await fetch(url, {
    method,
    headers: {
      ...(key.peek() !== null && { "api-subscription-key": key.peek() ?? "" }),
      ...(options.body !== undefined && !isForm && { "content-type": "application/json" })
    },
    ...(options.body !== undefined && { body: isForm ? options.body : JSON.stringify(options.body) }),
    ...(options.signal && { signal: options.signal })
  }).catch((error: unknown) => {
    if (options.signal?.aborted) throw error
    throw noAnswer()
  })
  if (!response.ok) throw await refusal(response)
  // The caller names the answer's type, as the OpenAPI document has it for the operation.
  const read: Promise<unknown> = options.as === "response"
    ? Promise.resolve(response)
    : options.as === "blob"
    ? response.blob()
    : options.as === "text"
    ? response.text()
    : jsonOf(response)
  return (await read) as Answer
}

const refusal = async (response: Response): Promise<Failure> => {
  const body = await jsonOf(response)
  const failure = failureOf(response.status, body, response.headers.get("x-request-id"))
  if (response.status === 401 || isKeyRefused(response.status, body)) signOut(failure.message)
  return failure
}

const isKeyRefused = (status: number, body: unknown) =>
  status === 403 && JSON.stringify(body ?? {}).includes("invalid_api_key_error")
