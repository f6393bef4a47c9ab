import type { RequestBody } from "./Forms.js"
import { failureOf, TrunklineError } from "./TrunklineError.js"

/** A `fetch`, such as that of the host or of a test. */
export type Fetch = (url: string, request: RequestInit) => Promise<Response>

/** Parts of the transport that a client is made with. */
export interface TransportOptions {
  readonly fetch: Fetch
  readonly apiKey: string
  /** Milliseconds of one try. */
  readonly timeout: number
  /** Most retries of one request. */
  readonly maxRetries: number
}

/** A request to send. */
export interface Outgoing {
  readonly method: string
  readonly url: string
  readonly body: RequestBody | undefined
  readonly signal: AbortSignal | undefined
  readonly timeout: number | undefined
}

/** Most seconds of a `Retry-After` that are waited for; a longer one is left to the caller. */
const maxWait = 60

/** Statuses by which a server or proxy says that it may answer the same request later. */
const passing: ReadonlyArray<number> = [408, 429, 500, 502, 503, 504]

/**
 * Decides on a retry of a failed try. A request that only reads is repeated after any failure that may pass. One that changes
 * something is repeated only where the server says that it has not begun with it: a 429 or 503 with `Retry-After`.
 */
const mayRetry = ({ body, method }: Outgoing, { retryAfter, status }: TrunklineError): boolean => {
  if (body?.isStream === true || (retryAfter ?? 0) > maxWait) return false
  if ((status === 429 || status === 503) && retryAfter !== null) return true
  return method === "GET" && (status === null || (status !== 429 && passing.includes(status)))
}

/** Milliseconds before a retry: what the server asks for, or twice as long each time, up to 8 seconds and a part at random. */
const waitOf = ({ retryAfter }: TrunklineError, tries: number): number =>
  retryAfter !== null ? retryAfter * 1_000 : Math.min(8_000, 500 * 2 ** tries) * (0.5 + Math.random() / 2)

/** Waits; rejects with the reason of the signal once it aborts. */
export const pause = (milliseconds: number, signal: AbortSignal | undefined): Promise<void> =>
  new Promise((resolve, reject) => {
    if (signal?.aborted === true) return reject(signal.reason)
    const stop = () => {
      clearTimeout(timer)
      reject(signal?.reason)
    }
    const timer = setTimeout(() => {
      signal?.removeEventListener("abort", stop)
      resolve()
    }, milliseconds)
    signal?.addEventListener("abort", stop, { once: true })
  })

/** The failure of a request without an answer: the reason of the signal where the caller has aborted. */
const brokenBy = ({ method, url }: Outgoing, signal: AbortSignal | undefined, cause: unknown): unknown =>
  signal?.aborted === true ? signal.reason : new TrunklineError({
    message: `${method} ${new URL(url).pathname}: the connection failed`,
    code: "connection_failed",
    status: null,
    cause
  })

/** An answer whose body may still be coming. */
export interface HttpAnswer {
  readonly response: Response
  /** Failure of a body that breaks off, from what `fetch` threw. */
  readonly broken: (cause: unknown) => unknown
  /** Reads the body while the time of the try still runs. */
  readonly text: () => Promise<string>
  /** Ends the time of the try: what follows may take as long as it does. */
  readonly release: () => void
  /** Stops listening to the signal, once the body has ended. */
  readonly end: () => void
}

/** Sends requests. */
export interface Transport {
  /** Resolves with an answer of success. Rejects with `TrunklineError`, or with the reason of the signal. */
  readonly send: (request: Outgoing) => Promise<HttpAnswer>
}

/** Makes a transport, which retries where it is safe. */
export const makeTransport = ({ apiKey, fetch, maxRetries, timeout }: TransportOptions): Transport => {
  const attempt = async (request: Outgoing): Promise<HttpAnswer> => {
    const { body, method, signal, url } = request
    signal?.throwIfAborted()
    const ending = new AbortController()
    const milliseconds = request.timeout ?? timeout
    const late = new TrunklineError({
      message: `${method} ${new URL(url).pathname}: no answer within ${milliseconds} ms`,
      code: "timeout",
      status: null
    })
    const timer = setTimeout(() => ending.abort(late), milliseconds)
    const stop = () => ending.abort(signal?.reason)
    signal?.addEventListener("abort", stop, { once: true })
    const release = () => clearTimeout(timer)
    const end = () => {
      release()
      signal?.removeEventListener("abort", stop)
    }
    const broken = (cause: unknown) => ending.signal.reason === late ? late : brokenBy(request, signal, cause)
    const within = <A>(work: Promise<A>): Promise<A> =>
      work.catch((cause: unknown) => {
        throw cause instanceof TrunklineError ? cause : broken(cause)
      })
    const response = await within(
      fetch(url, {
        method,
        signal: ending.signal,
        headers: {
          accept: "*/*",
          "api-subscription-key": apiKey,
          ...(body?.type !== undefined && { "content-type": body.type })
        },
        ...(body !== undefined && { body: body.body }),
        ...(body?.isStream === true && { duplex: "half" as const })
      })
    ).catch((error: unknown) => {
      end()
      throw error
    })
    if (response.ok) return { response, broken, release, end, text: () => within(response.text()).finally(end) }
    throw await failureOf(response).finally(end)
  }

  const send = async (request: Outgoing): Promise<HttpAnswer> => {
    for (let tries = 0;; tries++) {
      try {
        return await attempt(request)
      } catch (error) {
        if (!(error instanceof TrunklineError) || tries >= maxRetries || !mayRetry(request, error)) throw error
        await pause(waitOf(error, tries), request.signal)
      }
    }
  }

  return { send }
}
