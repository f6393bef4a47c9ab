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
  /** What has arrived since the last time. */
  readonly take: () => Array<Uint8Array>
  /** `whole` once everything has arrived; what arrived before a trouble can still be taken. */
  readonly outcome: () => "open" | "whole" | Trouble
  /** Calls back once, when there is something to take or an outcome. */
  readonly wait: (ready: () => void) => void
  /** Nobody wants the rest: breaks the connection, unless the answer has arrived whole. */
  readonly cancel: () => void
}

/** What a slow reader may leave unread, in bytes, before the connection is held: over a second of sound. */
const unreadBytes = 64 * 1024

const never = Number.POSITIVE_INFINITY

const isPlain = (headers: IncomingHttpHeaders): boolean =>
  ["", "identity"].includes(headers["content-encoding"]?.toLowerCase() ?? "")

/** Posts a request, and follows its answer. `who` is what is at the other end. */
export const startAttempt = (
  connections: Connections,
  posted: Posted,
  { millis, who }: { readonly millis: Millis; readonly who: string }
): Attempt => {
  const end = performance.now() + millis.total
  let phase: Phase = "connect"
  let headers: IncomingHttpHeaders | undefined
  let pieces: Array<Uint8Array> = []
  let unread = 0
  let isHeld = false
  let outcome: ReturnType<Attempt["outcome"]> = "open"
  let waiting: (() => void) | undefined

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
      const taken = pieces
      pieces = []
      unread = 0
      if (isHeld) {
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
    cancel: () => {
      if (outcome === "open") giveUp(brokenOff(who, "cancelled"))
    }
  }
}
