import { parseJson } from "@trunkline/kernel"
import { Data, Effect } from "effect"
import type { IncomingHttpHeaders } from "node:http"
import type { HttpConnections, OutgoingRequest } from "./Connections.js"
import { makeDeadlineTimer } from "./DeadlineTimer.js"
import { networkErrorOf } from "./UpstreamError.js"

/** A complete HTTP response. */
export interface WholeResponse {
  readonly status: number
  readonly headers: IncomingHttpHeaders
  /** Parsed JSON body; undefined when the body is not JSON. */
  readonly json: unknown
}

/** No complete response was received. */
export class ExchangeFailed extends Data.TaggedError("ExchangeFailed")<{
  /** True when the request may have reached the provider. */
  readonly isSent: boolean
  /** Status of an incomplete response; null when there was none. */
  readonly status: number | null
  /** Description without address or content. */
  readonly reason: string
}> {}

/** Limits of a request. */
interface ExchangeLimits {
  readonly connectMillis: number
  /** Timeout of the whole exchange. */
  readonly totalMillis: number
  readonly maxBytes: number
}

const never = Number.POSITIVE_INFINITY

/** Sends one request. Interruption closes the connection. */
export const exchange = (
  connections: HttpConnections,
  request: OutgoingRequest,
  { connectMillis, maxBytes, totalMillis }: ExchangeLimits
): Effect.Effect<WholeResponse, ExchangeFailed> =>
  Effect.async((resume) => {
    const end = performance.now() + totalMillis
    const pieces: Array<Uint8Array> = []
    let bytes = 0
    let isSent = false
    let head: { readonly status: number; readonly headers: IncomingHttpHeaders } | undefined

    const fail = (reason: string) => {
      watch.setDeadline(never)
      resume(Effect.fail(new ExchangeFailed({ isSent, status: head?.status ?? null, reason })))
    }
    const watch = makeDeadlineTimer(() => {
      fail(isSent ? "no complete response in time" : "no connection in time")
      running.cancel()
    })
    watch.setDeadline(Math.min(end, performance.now() + connectMillis))

    const running = connections.post(request, {
      // A process that was suspended past the deadline must not send: another process may own its work by now.
      onSent: () => {
        if (performance.now() >= end) {
          fail("no connection in time")
          running.cancel()
        } else {
          isSent = true
          watch.setDeadline(end)
        }
      },
      onHead: (status, headers) => {
        head = { status, headers }
      },
      onBytes: (piece) => {
        bytes += piece.byteLength
        pieces.push(piece)
        if (bytes <= maxBytes) return
        fail(`a response of more than ${maxBytes} bytes`)
        running.cancel()
      },
      onEnd: () => {
        watch.setDeadline(never)
        resume(
          head === undefined
            ? Effect.fail(new ExchangeFailed({ isSent, status: null, reason: "no response" }))
            : Effect.succeed({ ...head, json: parseJson(Buffer.concat(pieces).toString("utf8")) })
        )
      },
      onError: (error) => fail(networkErrorOf(error).reason ?? "the connection failed")
    })
    return Effect.sync(() => {
      watch.setDeadline(never)
      running.cancel()
    })
  })
