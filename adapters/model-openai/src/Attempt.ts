import { type HttpConnections, makeDeadlineTimer, type OutgoingRequest, retryAfter } from "@trunkline/http-client"
import type { Delta } from "@trunkline/models"
import type { IncomingHttpHeaders } from "node:http"
import type { AnswerOptions } from "./answer/Answer.js"
import { type AnswerReader, makeStreamReader, makeWholeReader } from "./answer/AnswerReader.js"
import { readErrorText, statusError } from "./answer/StatusError.js"
import { type Millis, type Phase, phaseTimeout } from "./Timeouts.js"
import {
  invalidAnswer,
  networkError,
  noFreeConnectionError,
  type Progress,
  truncatedAnswer,
  type UpstreamError
} from "./UpstreamError.js"

/** One attempt to get one answer. */
export interface AnswerAttempt {
  /** Takes the deltas that have arrived since the last call. */
  readonly take: () => Array<Delta>
  /** `whole` once everything has arrived; deltas that arrived before an error can still be taken. */
  readonly outcome: () => "open" | "whole" | UpstreamError
  /** Calls back once, as soon as there are deltas to take or an outcome. */
  readonly wait: (ready: () => void) => void
  /** Abandons the rest: closes the connection unless the whole answer has arrived. */
  readonly cancel: () => void
}

/** The request to send, and how to read its response. */
export interface AnswerAttemptOptions {
  readonly connections: HttpConnections
  readonly posted: OutgoingRequest
  readonly answerOptions: AnswerOptions
  /** True when a stream was requested, whose deltas are taken as they arrive. */
  readonly streamed: boolean
  readonly millis: Millis
}

/** Milliseconds to wait for what may follow the end of an answer: its usage, or the end of the body. */
const endingMillis = 1_000

/** Bytes read of the body of an error response; the reason is at its beginning. */
const failureBytes = 64 * 1024

/** Bytes of the stream that a slow reader may leave unread before the connection is paused. */
const unreadBytes = 64 * 1024

const never = Number.POSITIVE_INFINITY

const isPlain = (headers: IncomingHttpHeaders): boolean =>
  ["", "identity"].includes(headers["content-encoding"]?.toLowerCase() ?? "")

/** Detects a stream: some servers send a document instead, and some a stream with another content type. */
const isStream = (headers: IncomingHttpHeaders, isStreamed: boolean): boolean => {
  const type = headers["content-type"]?.toLowerCase() ?? ""
  return type.includes("event-stream") || (isStreamed && !/json|html/.test(type))
}

/** Sends a request and follows its response. */
export const startAttempt = (options: AnswerAttemptOptions): AnswerAttempt => {
  const { answerOptions, connections, millis, posted, streamed } = options
  const startedAt = performance.now()
  let sentAt = startedAt
  let phase: Phase | "ending" = "connect"
  let reader: AnswerReader | undefined
  let errorResponse: { readonly status: number; readonly headers: IncomingHttpHeaders; body: string } | undefined
  let deltas: Array<Delta> = []
  let unread = 0
  let isPaused = false
  let isOver = false
  let outcome: ReturnType<AnswerAttempt["outcome"]> = "open"
  let waiting: (() => void) | undefined

  const enter = (next: typeof phase, until: number) => {
    phase = next
    watch.setDeadline(outcome === "open" ? Math.min(until, startedAt + millis.total) : until)
  }

  const progress = (): Progress => reader !== undefined ? "begun" : phase === "connect" ? "connecting" : "connected"

  const isReady = () => outcome !== "open" || (streamed && deltas.length > 0)

  const wake = () => {
    if (!isReady()) return
    const ready = waiting
    waiting = undefined
    ready?.()
  }

  const settle = (next: "whole" | UpstreamError) => {
    outcome = next
    isPaused = false
    enter("ending", next === "whole" && !isOver ? performance.now() + endingMillis : never)
    if (next !== "whole" && !isOver) exchange.cancel()
    wake()
  }

  const settleError = ({ body: text, headers: responseHeaders, status }: NonNullable<typeof errorResponse>) =>
    settle(statusError(status, readErrorText(text), retryAfter(responseHeaders, Date.now())))

  const follow = (answer: AnswerReader, hasToken: boolean) => {
    const state = answer.state()
    if (state === "closing") {
      if (phase !== "ending") enter("ending", performance.now() + endingMillis)
    } else if (state !== "open") settle(state)
    else if (hasToken && streamed) enter("betweenTokens", performance.now() + millis.betweenTokens)
  }

  const endReader = (answer: AnswerReader) => {
    answer.end(deltas)
    follow(answer, false)
  }

  const pauseIfBehind = () => {
    if (!streamed || deltas.length === 0 || unread < unreadBytes || outcome !== "open") return
    isPaused = true
    exchange.pause()
    watch.setDeadline(startedAt + millis.total)
  }

  const watch = makeDeadlineTimer(() => {
    if (outcome !== "open") exchange.cancel()
    else if (errorResponse !== undefined) settleError(errorResponse)
    else if (reader?.state() === "closing") {
      endReader(reader)
      exchange.cancel()
    } else if (phase === "ending" || performance.now() >= startedAt + millis.total) {
      settle(phaseTimeout("total", millis))
    } else {settle(
        phase === "connect" && !exchange.hasOwnConnection() ? noFreeConnectionError : phaseTimeout(phase, millis)
      )}
  })

  enter("connect", startedAt + millis.connect)
  const exchange = connections.post(posted, {
    onSent: () => {
      sentAt = performance.now()
      enter("headers", streamed ? sentAt + millis.headers : never)
    },
    onHead: (status, responseHeaders) => {
      if (status < 200 || status >= 300) {
        errorResponse = { status, headers: responseHeaders, body: "" }
        enter("ending", performance.now() + endingMillis)
      } else if (!isPlain(responseHeaders)) settle(invalidAnswer("a compressed response"))
      else {
        reader = isStream(responseHeaders, streamed) ? makeStreamReader(answerOptions) : makeWholeReader(answerOptions)
        enter("firstToken", streamed ? sentAt + millis.firstToken : never)
      }
    },
    onBytes: (bytes) => {
      if (outcome !== "open") return
      if (errorResponse !== undefined) {
        errorResponse.body += Buffer.from(bytes).toString("latin1")
        if (errorResponse.body.length > failureBytes) settleError(errorResponse)
      } else if (reader !== undefined) {
        unread += bytes.length
        follow(reader, reader.push(bytes, deltas))
        pauseIfBehind()
        wake()
      }
    },
    onEnd: () => {
      isOver = true
      if (outcome !== "open") watch.setDeadline(never)
      else if (errorResponse !== undefined) settleError(errorResponse)
      else if (reader !== undefined) endReader(reader)
    },
    onError: (error) => {
      isOver = true
      if (outcome !== "open") watch.setDeadline(never)
      else if (errorResponse !== undefined) settleError(errorResponse)
      else if (reader?.state() === "closing") endReader(reader)
      else settle(networkError(error, progress()))
    }
  })

  return {
    take: () => {
      const batch = deltas
      deltas = []
      unread = 0
      if (isPaused) {
        isPaused = false
        enter(phase, performance.now() + (phase === "ending" ? endingMillis : millis.betweenTokens))
        exchange.resume()
      }
      return batch
    },
    outcome: () => outcome,
    wait: (ready) => {
      waiting = ready
      wake()
    },
    cancel: () => {
      if (outcome === "open") settle(truncatedAnswer("cancelled"))
    }
  }
}
