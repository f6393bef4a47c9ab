import type { ProviderFault } from "@trunkline/http-client"
import type { ListenDialect, ServerReply } from "./ListenDialect.js"
import type { Socket } from "./Socket.js"

/** Words of the server; positions count the samples of the listening. */
export interface HeardWords {
  readonly text: string
  readonly isFinal: boolean
  /** Position up to which the sound was recognized; null when unknown. */
  readonly until: number | null
  /** True for the answer to a flush. */
  readonly isFlushed: boolean
  /** True for words that continue those that are not final. */
  readonly isDelta?: boolean
}

/** An error report of the server; the fault is null when it does not tell why. */
export interface ReportedFailure {
  readonly failed: ProviderFault | null
}

/** Sound and answers of one connection. */
export interface TranscriberConnection {
  /** Sends a packet that ends at a position. */
  readonly sendSound: (packet: Uint8Array, end: number) => void
  /** Asks for the final words of the sound up to a position. */
  readonly askFlush: (position: number) => void
  /** Forgets the flushes up to a position, whose answers are not waited for any more. */
  readonly forget: (position: number) => void
  /** Reads a message; null when it is malformed or unknown. */
  readonly read: (text: string) => HeardWords | ReportedFailure | "notice" | null
}

/** An event that the server has yet to answer. */
interface Asked {
  readonly position: number
  readonly isFlush: boolean
  /** Name that the server gave to the flush. */
  id?: string
}

/** Index of the last item with the least value; -1 when there is none. */
const indexOfLeast = (values: ReadonlyArray<number>): number => values.lastIndexOf(Math.min(...values))

/** Follows a connection whose sound begins at a position. */
export const makeConnection = (
  socket: Socket,
  { begin, dialect, rate }: { readonly begin: number; readonly dialect: ListenDialect; readonly rate: number }
): TranscriberConnection => {
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

  /** Takes the flush that an answer belongs to out of those that are awaited: by its name, or the oldest. */
  const takeFlush = (id: string | undefined): Asked | undefined => {
    const index = id === undefined ? 0 : requests.findIndex((flush) => flush.id === id)
    return index < 0 ? undefined : requests.splice(index, 1)[0]
  }

  /** Words of a server that answers each flush: those before an answer belong to the flush that it will answer. */
  const inOrder = (reply: Extract<ServerReply, { readonly _tag: "Words" }>): HeardWords | "notice" => {
    if (!reply.isFlushed) return { ...reply, until: requests[0]?.position ?? null }
    const flush = takeFlush(reply.id)
    return flush === undefined ? "notice" : { ...reply, until: flush.position }
  }

  const readWords = (reply: Extract<ServerReply, { readonly _tag: "Words" }>): HeardWords | "notice" => {
    if (dialect.answersFlushes === true) return inOrder(reply)
    if (dialect.answersEach) {
      const event = requests.shift()
      return { ...reply, until: event?.position ?? null, isFlushed: event?.isFlush === true }
    }
    const until = reply.until === null ? null : Math.min(sentUntil, begin + Math.round(reply.until * rate))
    return { ...reply, until: reply.isFlushed ? answeredFlush(until) : until }
  }

  const deltaOf = (text: string, id: string | undefined): HeardWords => {
    const flush = requests.find((request) => request.id === id)
    return { text, isFinal: false, isFlushed: false, isDelta: true, until: flush?.position ?? null }
  }

  return {
    sendSound: (packet, end) => {
      note({ position: end, isFlush: false })
      sentUntil = end
      socket.send(dialect.sound === undefined ? packet : dialect.sound(packet))
    },
    askFlush: (position) => {
      note({ position, isFlush: true })
      const messages = dialect.flush({ rate })
      if (typeof messages === "string" || messages instanceof Uint8Array) socket.send(messages)
      else messages.forEach(socket.send)
    },
    forget: (position) => {
      if (dialect.answersFlushes !== true) return
      while (requests[0] !== undefined && requests[0].position <= position) requests.shift()
    },
    read: (text) => {
      const reply = dialect.read(text)
      if (reply === null) return null
      switch (reply._tag) {
        case "Words":
          return readWords(reply)
        case "Delta":
          return deltaOf(reply.text, reply.id)
        case "Named": {
          const flush = requests.find(({ id }) => id === undefined)
          if (flush !== undefined) flush.id = reply.id
          return "notice"
        }
        case "Notice":
          return "notice"
        case "Failed":
          return { failed: reply.fault ?? null }
      }
    }
  }
}
