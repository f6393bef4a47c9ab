import type { IncomingHttpHeaders } from "node:http"
import type { Connections, Posted } from "./Connections.js"
import { networkTrouble } from "./failures/NetworkTrouble.js"
import { statusTrouble } from "./failures/StatusTrouble.js"
import { brokenOff, nonsense, timedOut, type Trouble } from "./failures/Trouble.js"
import type { Millis, Phase } from "./Timeouts.js"
import { makeWatch } from "./Watch.js"

/** One try to get one answer. */
export interface Attempt {
  /** The headers of the answer; none until it begins. */
  readonly headers: () => IncomingHttpHeaders
  /** Whether there is something to take. */
  readonly hasPieces: () => boolean
  /** What has arrived, in its order: at most some 64 KB at a time, whose reader may have much to do with them. */
  readonly take: () => Array<Uint8Array>
  /** `whole` once everything has arrived; what arrived before a trouble can still be taken. */
  readonly outcome: () => "open" | "whole" | Trouble
  /** Calls back once, when there is something to take or an outcome. */
  readonly wait: (ready: () => void) => void
  /** Calls back once there is an outcome, also where there is one already. */
  readonly onSettled: (settled: () => void) => void
  /** Nobody wants the rest: breaks the connection, unless the answer has arrived whole. */
  readonly cancel: () => void
}

/** How an attempt goes about it. */
export interface AttemptOptions {
  readonly millis: Millis
  /** What is at the other end. */
  readonly who: string
  /** What a slow reader may leave unread, in bytes, before the connection is held. */
  readonly unreadBytes: number
}

/** What is taken at once, in bytes. */
const takenBytes = 64 * 1024

const never = Number.POSITIVE_INFINITY

const isPlain = (headers: IncomingHttpHeaders): boolean =>
  ["", "identity"].includes(headers["content-encoding"]?.toLowerCase() ?? "")

/** How many of the first pieces are taken at once. */
const takenOf = (pieces: ReadonlyArray<Uint8Array>): number => {
  let bytes = 0
  const last = pieces.findIndex(({ length }) => (bytes += length) >= takenBytes)
  return last === -1 ? pieces.length : last + 1
}

/** Posts a request, and follows its answer. */
export const startAttempt = (
  connections: Connections,
  posted: Posted,
  { millis, unreadBytes, who }: AttemptOptions
): Attempt => {
  const end = performance.now() + millis.total
  let phase: Phase = "connect"
  let headers: IncomingHttpHeaders | undefined
  const pieces: Array<Uint8Array> = []
  let unread = 0
  let isHeld = false
  let outcome: ReturnType<Attempt["outcome"]> = "open"
  let waiting: (() => void) | undefined
  let onSettled = () => {}

  const enter = (next: Phase) => {
    phase = next
    watch.due(Math.min(end, performance.now() + millis[next]))
  }

  const wake = () => {
    if (outcome === "open" && pieces.length === 0) return
    const ready = waiting
    waiting = undefined
    ready?.()
  }

  const settle = (next: "whole" | Trouble) => {
    outcome = next
    isHeld = false
    watch.due(never)
    onSettled()
    wake()
  }

  /** Ends with a trouble that the connection does not know of yet. */
  const giveUp = (trouble: Trouble) => {
    settle(trouble)
    exchange.cancel()
  }

  const watch = makeWatch(() => giveUp(timedOut(who, performance.now() >= end ? "total" : phase, millis)))

  enter("connect")
  const exchange = connections.post(posted, {
    onSent: () => enter("firstByte"),
    onHead: (status, answerHeaders) => {
      headers = answerHeaders
      if (status < 200 || status >= 300) giveUp(statusTrouble(who, status, answerHeaders))
      else if (!isPlain(answerHeaders)) giveUp(nonsense(who, "a compressed answer"))
    },
    onBytes: (bytes) => {
      if (outcome !== "open") return
      pieces.push(bytes)
      unread += bytes.length
      enter("betweenBytes")
      if (unread >= unreadBytes) {
        isHeld = true
        exchange.hold()
        watch.due(end)
      }
      wake()
    },
    onEnd: () => {
      if (outcome === "open") settle("whole")
    },
    onError: (error) => {
      if (outcome === "open") settle(networkTrouble(who, error, headers !== undefined))
    }
  })

  return {
    headers: () => headers ?? {},
    hasPieces: () => pieces.length > 0,
    take: () => {
      const taken = pieces.splice(0, takenOf(pieces))
      for (const { length } of taken) unread -= length
      if (isHeld && unread < unreadBytes) {
        isHeld = false
        enter("betweenBytes")
        exchange.resume()
      }
      return taken
    },
    outcome: () => outcome,
    wait: (ready) => {
      waiting = ready
      wake()
    },
    onSettled: (settled) => {
      onSettled = settled
      if (outcome !== "open") settled()
    },
    cancel: () => {
      if (outcome === "open") giveUp(brokenOff(who, "cancelled"))
    }
  }
}
