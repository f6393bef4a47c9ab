import { currentTraceHeaders, withSpan } from "@trunkline/kernel"
import { Effect, type Either } from "effect"
import { type Dispatcher, request } from "undici/index.js"
import { DownloadFailed, headerText, release, toDownloadFailed } from "./Download.js"
import { isDecodable, responseBody } from "./ResponseBody.js"

/** A request of the guarded client. */
export interface GuardedRequest {
  readonly method: "GET" | "POST" | "PUT" | "PATCH" | "DELETE"
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  readonly body?: string
  /** Longest body of the response in bytes, as received and decompressed. */
  readonly maxBytes: number
}

/** A complete response of any status, also of a redirect, which is not followed. */
export interface GuardedResponse {
  readonly status: number
  readonly contentType: string
  readonly body: string
}

interface Source {
  readonly agent: Dispatcher
  readonly check: (url: string) => Either.Either<URL, string>
}

const readWhole = async (response: Dispatcher.ResponseData, maxBytes: number): Promise<string> => {
  const encoding = headerText(response, "content-encoding").trim().toLowerCase()
  if (!isDecodable(encoding)) {
    throw new DownloadFailed({ kind: "refused", reason: "the content encoding of the response is not supported" })
  }
  const pieces: Array<Uint8Array> = []
  for await (const piece of responseBody(response.body, { encoding, maxBytes })) pieces.push(piece)
  return Buffer.concat(pieces).toString("utf8")
}

/** Sends a request and reads its whole response. Interruption closes the connection. */
export const send =
  ({ agent, check }: Source) => (givenRequest: GuardedRequest): Effect.Effect<GuardedResponse, DownloadFailed> =>
    Effect.scoped(Effect.gen(function*() {
      const { body = null, headers, maxBytes, method } = givenRequest
      const url = yield* Effect.mapError(
        check(givenRequest.url),
        (reason) => new DownloadFailed({ kind: "refused", reason })
      )
      const traceHeaders = yield* currentTraceHeaders
      const response = yield* Effect.uninterruptibleMask((restore) =>
        restore(Effect.tryPromise({
          try: (signal) =>
            request(url, { dispatcher: agent, signal, method, headers: { ...headers, ...traceHeaders }, body }),
          catch: toDownloadFailed
        })).pipe(Effect.tap((response) => Effect.addFinalizer(() => release(response))))
      )
      const text = yield* Effect.tryPromise({
        try: () => readWhole(response, maxBytes),
        catch: (error) => error instanceof DownloadFailed ? error : toDownloadFailed(error)
      })
      return {
        status: response.statusCode,
        contentType: headerText(response, "content-type").toLowerCase(),
        body: text
      }
    })).pipe(
      withSpan(
        givenRequest.method,
        () => ({ kind: "client", attributes: { "http.request.method": givenRequest.method } })
      )
    )
