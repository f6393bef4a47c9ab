import { type Connections, makeWatch, type Posted, retryAfter } from "@trunkline/http-upstream"
import type { Delta } from "@trunkline/models"
import type { IncomingHttpHeaders } from "node:http"
import type { Asked } from "./answer/Answer.js"
import { type AnswerReader, makeStreamReader, makeWholeReader } from "./answer/AnswerReader.js"
import { wordsOfError } from "./failures/ErrorWords.js"
import { networkTrouble, type Progress } from "./failures/NetworkTrouble.js"
import { statusTrouble } from "./failures/StatusTrouble.js"
import { brokenOff, noFreeConnection, nonsense, type Trouble } from "./failures/Trouble.js"
import { type Millis, type Phase, timedOut } from "./Timeouts.js"

/** One try to get one answer. */
export interface Attempt {
  /** What has arrived since the last time. */
  readonly take: () => Array<Delta>
  /** `whole` once everything has arrived; what arrived before a trouble can still be taken. */
  readonly outcome: () => "open" | "whole" | Trouble
  /** Calls back once, when there is something to take or an outcome. */
  readonly wait: (ready: () => void) => void
  /** Nobody wants the rest: breaks the connection, unless the answer has arrived whole. */
  readonly cancel: () => void
}

/** What to post, and how to read the answer. */
export interface AttemptOptions {
  readonly connections: Connections
  readonly posted: Posted
  readonly asked: Asked
  /** Whether a stream was asked for, and is taken piece by piece. */
  readonly streamed: boolean
  readonly millis: Millis
}

/** How long, in ms, is waited for what may follow an answer's end: its usage, or the end of the body. */
const endingMillis = 1_000

/** What is read of the body of a failure, in bytes; the reason stands at its beginning. */
const failureBytes = 64 * 1024

/** What a slow reader may leave unread, in bytes of the stream, before the connection is held. */
const unreadBytes = 64 * 1024

const never = Number.POSITIVE_INFINITY

const isPlain = (headers: IncomingHttpHeaders): boolean =>
  ["", "identity"].includes(headers["content-encoding"]?.toLowerCase() ?? "")

/** Some servers answer with a document where a stream was asked for, and some with a stream that they do not call one. */
const isStream = (headers: IncomingHttpHeaders, streamed: boolean): boolean => {
  const type = headers["content-type"]?.toLowerCase() ?? ""
  return type.includes("event-stream") || (streamed && !/json|html/.test(type))
}

/** Posts a request, and follows its answer. */
export const startAttempt = (options: AttemptOptions): Attempt => {
  const { asked, connections, millis, posted, streamed } = options
  const started = performance.now()
  let sent = started
  let phase: Phase | "ending" = "connect"
  let reader: AnswerReader | undefined
  let failing: { readonly status: number; readonly headers: IncomingHttpHeaders; body: string } | undefined
  let deltas: Array<Delta> = []
  let unread = 0
  let isHeld = false
  let isOver = false
  let outcome: ReturnType<Attempt["outcome"]> = "open"
  let waiting: (() => void) | undefined

  const enter = (next: typeof phase, until: number) => {
    phase = next
    watch.due(outcome === "open" ? Math.min(until, started + millis.total) : until)
  }

  const progress = (): Progress => reader !== undefined ? "begun" : phase === "connect" ? "connecting" : "connected"

  const isReady = () => outcome !== "open" || (streamed && deltas.length > 0)

  const wake = () => {
    if (!isReady()) return
    const ready = waiting
    waiting = undefined
    ready?.()
  }

  const settle = (next: "whole" | Trouble) => {
    outcome = next
    isHeld = false
    enter("ending", next === "whole" && !isOver ? performance.now() + endingMillis : never)
    if (next !== "whole" && !isOver) exchange.cancel()
    wake()
  }

  const settleFailing = ({ body: text, headers: answerHeaders, status }: NonNullable<typeof failing>) =>
    settle(statusTrouble(status, wordsOfError(text), retryAfter(answerHeaders, Date.now())))

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

  const holdBack = () => {
    if (!streamed || deltas.length === 0 || unread < unreadBytes || outcome !== "open") return
    isHeld = true
    exchange.hold()
    watch.due(started + millis.total)
  }

  const watch = makeWatch(() => {
    if (outcome !== "open") exchange.cancel()
    else if (failing !== undefined) settleFailing(failing)
    else if (reader?.state() === "closing") {
      endReader(reader)
      exchange.cancel()
    } else if (phase === "ending" || performance.now() >= started + millis.total) settle(timedOut("total", millis))
    else settle(phase === "connect" && !exchange.hasOwnConnection() ? noFreeConnection : timedOut(phase, millis))
  })

  enter("connect", started + millis.connect)
  const exchange = connections.post(posted, {
    onSent: () => {
      sent = performance.now()
      enter("headers", streamed ? sent + millis.headers : never)
    },
    onHead: (status, answerHeaders) => {
      if (status < 200 || status >= 300) {
        failing = { status, headers: answerHeaders, body: "" }
        enter("ending", performance.now() + endingMillis)
      } else if (!isPlain(answerHeaders)) settle(nonsense("a compressed answer"))
      else {
        reader = isStream(answerHeaders, streamed) ? makeStreamReader(asked) : makeWholeReader(asked)
        enter("firstToken", streamed ? sent + millis.firstToken : never)
      }
    },
    onBytes: (bytes) => {
      if (outcome !== "open") return
      if (failing !== undefined) {
        failing.body += Buffer.from(bytes).toString("latin1")
        if (failing.body.length > failureBytes) settleFailing(failing)
      } else if (reader !== undefined) {
        unread += bytes.length
        follow(reader, reader.push(bytes, deltas))
        holdBack()
        wake()
      }
    },
    onEnd: () => {
      isOver = true
      if (outcome !== "open") watch.due(never)
      else if (failing !== undefined) settleFailing(failing)
      else if (reader !== undefined) endReader(reader)
    },
    onError: (error) => {
      isOver = true
      if (outcome !== "open") watch.due(never)
      else if (failing !== undefined) settleFailing(failing)
      else if (reader?.state() === "closing") endReader(reader)
      else settle(networkTrouble(error, progress()))
    }
  })

  return {
    take: () => {
      const taken = deltas
      deltas = []
      unread = 0
      if (isHeld) {
        isHeld = false
        enter(phase, performance.now() + (phase === "ending" ? endingMillis : millis.betweenTokens))
        exchange.resume()
      }
      return taken
    },
    outcome: () => outcome,
    wait: (ready) => {
      waiting = ready
      wake()
    },
    cancel: () => {
      if (outcome === "open") settle(brokenOff("cancelled"))
    }
  }
}
