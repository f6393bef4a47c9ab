import type { ListenDialect } from "./ListenDialect.js"
import type { Socket } from "./Socket.js"

/** Words of the server; positions count the samples of the listening. */
export interface HeardWords {
  readonly text: string
  readonly isFinal: boolean
  /** Position up to which the sound was recognized; null when unknown. */
  readonly until: number | null
  /** True for the answer to a flush. */
  readonly isFlushed: boolean
}

/** Sound and answers of one connection. */
export interface Connection {
  /** Sends a packet that ends at a position. */
  readonly sendSound: (packet: Uint8Array, end: number) => void
  /** Asks for the final words of the sound up to a position. */
  readonly askFlush: (position: number) => void
  /** Reads a message; null when it is malformed or unknown. */
  readonly read: (text: string) => HeardWords | "notice" | "failed" | null
}

/** An event that the server has yet to answer. */
interface Asked {
  readonly position: number
  readonly isFlush: boolean
}

/** Index of the last item with the least value; -1 when there is none. */
const indexOfLeast = (values: ReadonlyArray<number>): number => values.lastIndexOf(Math.min(...values))

/** Follows a connection whose sound begins at a position. */
export const makeConnection = (
  socket: Socket,
  { begin, dialect, rate }: { readonly begin: number; readonly dialect: ListenDialect; readonly rate: number }
): Connection => {
  /** Position up to which sound was sent: a server cannot have recognized more. */
  let sentUntil = begin
  /** Unanswered messages of a server that answers each, otherwise unanswered flushes only. */
  const requests: Array<Asked> = []
  const note = (event: Asked) => {
    if (event.isFlush || dialect.answersEach) requests.push(event)
  }

  /** Position of the flush that an answer belongs to: the nearest, since flushes may stay without an answer. */
  const answeredFlush = (until: number | null): number | null => {
    const index = until === null
      ? requests.length - 1
      : indexOfLeast(requests.map(({ position }) => Math.abs(position - until)))
    const flush = requests[index]
    requests.splice(0, index + 1)
    return flush?.position ?? until
  }

  return {
    sendSound: (packet, end) => {
      note({ position: end, isFlush: false })
      sentUntil = end
      socket.send(packet)
    },
    askFlush: (position) => {
      note({ position, isFlush: true })
      socket.send(dialect.flush({ rate }))
    },
    read: (text) => {
      const reply = dialect.read(text)
      if (reply === null) return null
      if (reply._tag !== "Words") return reply._tag === "Notice" ? "notice" : "failed"
      if (dialect.answersEach) {
        const event = requests.shift()
        return { ...reply, until: event?.position ?? null, isFlushed: event?.isFlush === true }
      }
      const until = reply.until === null ? null : Math.min(sentUntil, begin + Math.round(reply.until * rate))
      return { ...reply, until: reply.isFlushed ? answeredFlush(until) : until }
    }
  }
}
