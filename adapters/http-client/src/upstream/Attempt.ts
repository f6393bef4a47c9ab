import { parseJson } from "@trunkline/kernel"
import type { IncomingHttpHeaders } from "node:http"
import type { HttpConnections, OutgoingRequest } from "./Connections.js"
import { makeDeadlineTimer } from "./DeadlineTimer.js"
import type { Millis, Phase } from "./Options.js"
import type { FaultReader } from "./ProviderFault.js"
import { statusError } from "./StatusError.js"
import {
  invalidResponse,
  networkUpstreamError,
  phaseTimeout,
  truncatedResponse,
  type UpstreamError
} from "./UpstreamError.js"

/** One attempt to get one response. */
export interface ResponseAttempt {
  /** Headers of the response; empty until it begins. */
  readonly headers: () => IncomingHttpHeaders
  /** True when bytes can be taken. */
  readonly hasBytes: () => boolean
  /** Takes bytes that have arrived, in order: about 64 KB at a time, since their reader may take long over them. */
  readonly take: () => Array<Uint8Array>
  /** `whole` once everything has arrived; bytes that arrived before an error can still be taken. */
  readonly outcome: () => "open" | "whole" | UpstreamError
  /** Calls back once, as soon as there are bytes to take or an outcome. */
  readonly wait: (ready: () => void) => void
  /** Calls back once there is an outcome; at once if there is one already. */
  readonly onSettled: (listener: () => void) => void
  /** Abandons the rest: closes the connection unless the whole response has arrived. */
  readonly cancel: () => void
}

/** Settings of an attempt. */
export interface ResponseAttemptOptions {
  readonly millis: Millis
  /** Names the server in messages, such as "speech server". */
  readonly serverName: string
  /** Bytes that a slow reader may leave unread before the connection is paused. */
  readonly unreadBytes: number
  /** Reads the body of a refusal; absent where the status alone tells. */
  readonly faultOf?: FaultReader | undefined
}

/** Bytes of a refusal that are read for its reason. */
const refusalBytes = 16 * 1024

/** A response with a status other than 2xx, whose body is read for the reason. */
interface Refusal {
  readonly status: number
  readonly headers: IncomingHttpHeaders
  readonly faultOf: FaultReader
  readonly pieces: Array<Uint8Array>
}

/** The error of a refusal; a body that is no JSON leaves it to the status. */
const refusalError = (who: string, { faultOf, headers, pieces, status }: Refusal): UpstreamError => {
  const fault = faultOf({ status, json: parseJson(Buffer.concat(pieces).toString("utf8")) })
  return fault === null ? statusError(who, status, headers) : statusError(who, status, headers, fault)
}

/** Bytes that are taken at once. */
const takeBytes = 64 * 1024

const never = Number.POSITIVE_INFINITY

const isPlain = (headers: IncomingHttpHeaders): boolean =>
  ["", "identity"].includes(headers["content-encoding"]?.toLowerCase() ?? "")

/** Counts the chunks that are taken at once. */
const chunksToTake = (chunks: ReadonlyArray<Uint8Array>): number => {
  let bytes = 0
  const last = chunks.findIndex(({ length }) => (bytes += length) >= takeBytes)
  return last === -1 ? chunks.length : last + 1
}

/** Sends a request and follows its response. */
export const startAttempt = (
  connections: HttpConnections,
  request: OutgoingRequest,
  { faultOf, millis, unreadBytes, serverName }: ResponseAttemptOptions
): ResponseAttempt => {
  const end = performance.now() + millis.total
  let phase: Phase = "connect"
  let headers: IncomingHttpHeaders | undefined
  const chunks: Array<Uint8Array> = []
  let unread = 0
  let isPaused = false
  let outcome: ReturnType<ResponseAttempt["outcome"]> = "open"
  let waiting: (() => void) | undefined
  let onSettled = () => {}
  let refusal: Refusal | undefined
  let refusedBytes = 0

  const enter = (next: Phase) => {
    phase = next
    watch.setDeadline(Math.min(end, performance.now() + millis[next]))
  }

  const wake = () => {
    if (outcome === "open" && chunks.length === 0) return
    const ready = waiting
    waiting = undefined
    ready?.()
  }

  const settle = (next: "whole" | UpstreamError) => {
    outcome = next
    isPaused = false
    watch.setDeadline(never)
    onSettled()
    wake()
  }

  /** Ends with an error that the connection does not know of yet. */
  const giveUp = (error: UpstreamError) => {
    settle(error)
    exchange.cancel()
  }

  /** Ends with the refusal, whose body has arrived as far as it will. */
  const refuse = (rejection: Refusal) => giveUp(refusalError(serverName, rejection))

  const watch = makeDeadlineTimer(() => {
    if (refusal !== undefined) refuse(refusal)
    else giveUp(phaseTimeout(serverName, performance.now() >= end ? "total" : phase, millis))
  })

  enter("connect")
  const exchange = connections.post(request, {
    onSent: () => enter("firstByte"),
    onHead: (status, responseHeaders) => {
      headers = responseHeaders
      const isRefused = status < 200 || status >= 300
      if (isRefused && faultOf !== undefined && isPlain(responseHeaders)) {
        refusal = { status, headers: responseHeaders, faultOf, pieces: [] }
      } else if (isRefused) giveUp(statusError(serverName, status, responseHeaders))
      else if (!isPlain(responseHeaders)) giveUp(invalidResponse(serverName, "a compressed response"))
    },
    onBytes: (bytes) => {
      if (outcome !== "open") return
      if (refusal !== undefined) {
        refusal.pieces.push(bytes)
        refusedBytes += bytes.length
        if (refusedBytes >= refusalBytes) refuse(refusal)
        return
      }
      chunks.push(bytes)
      unread += bytes.length
      enter("betweenBytes")
      if (unread >= unreadBytes) {
        isPaused = true
        exchange.pause()
        watch.setDeadline(end)
      }
      wake()
    },
    onEnd: () => {
      if (outcome !== "open") return
      if (refusal !== undefined) refuse(refusal)
      else settle("whole")
    },
    onError: (error) => {
      if (outcome !== "open") return
      if (refusal !== undefined) refuse(refusal)
      else settle(networkUpstreamError(serverName, error, headers !== undefined))
    }
  })

  return {
    headers: () => headers ?? {},
    hasBytes: () => chunks.length > 0,
    take: () => {
      const batch = chunks.splice(0, chunksToTake(chunks))
      for (const { length } of batch) unread -= length
      if (isPaused && unread < unreadBytes) {
        isPaused = false
        enter("betweenBytes")
        exchange.resume()
      }
      return batch
    },
    outcome: () => outcome,
    wait: (ready) => {
      waiting = ready
      wake()
    },
    onSettled: (listener) => {
      onSettled = listener
      if (outcome !== "open") listener()
    },
    cancel: () => {
      if (outcome === "open") giveUp(truncatedResponse(serverName, "cancelled"))
    }
  }
}
