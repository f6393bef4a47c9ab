import type { Effect, Scope } from "effect"
import type { Connection } from "./Connection.js"

/** Event of a WebSocket: a frame of the other side, or the end, which is the last one. */
export type FrameEvent =
  | { readonly _tag: "Text"; readonly text: string }
  | { readonly _tag: "Bytes"; readonly bytes: Uint8Array }
  | { readonly _tag: "Closed"; readonly code: number }

/**
 * Server side of a WebSocket that carries frames in both directions, whatever serves it. Its operations are plain functions,
 * since a call has a hundred frames a second; they do nothing once the socket is closed.
 */
export interface FrameSocket {
  /** Sends a frame. What the connection does not take yet is buffered. */
  readonly post: (frame: string | Uint8Array) => void
  /** Bytes that wait for the connection. A sender with much to send stops while there are many. */
  readonly waitingBytes: () => number
  /**
   * Sets the listener. It gets all frames from now on, those that have arrived before at once, and `Closed` at once when the
   * socket has closed before. It must not throw.
   */
  readonly hear: (listener: (event: FrameEvent) => void) => void
  /** Sends a close frame with a code and a reason of at most 123 bytes. */
  readonly close: (code: number, reason: string) => void
}

/** Accepts the WebSocket of the current request; it closes with the scope. */
export type OpenFrames = Effect.Effect<FrameSocket, never, Scope.Scope>

/** A request of a provider to open a WebSocket for a call. */
export interface SocketRequest {
  /** The last segment of the path. */
  readonly token: string
  /** Path and query as this server received them, below the prefix of its host. */
  readonly url: string
  /** Header names are in lower case. */
  readonly headers: Readonly<Record<string, string>>
  /** Address of the peer of the connection, which may be a proxy; null where the host does not tell it. */
  readonly remoteAddress: string | null
  readonly connection: Connection
  /**
   * Looks at once for calls of processes that have ended, for a stream that is proven to come from the provider, and whose call is
   * not known here.
   */
  readonly seek: Effect.Effect<void>
}

/** Largest frame of the other side, in bytes. */
export const maxFrameBytes = 131_072

/** Largest frame, and bytes in all, that are kept until there is a listener. */
const early = { frame: 4_096, total: 65_536 }

/** Events of a WebSocket for a listener that may come later; for hosts. */
export interface FrameInbox {
  /**
   * Passes an event on, or keeps it for a listener. Without one, frames beyond 64 KiB are discarded, and it returns false for a
   * frame of more than 4 KiB: the host closes the socket with 1009.
   */
  readonly add: (event: FrameEvent) => boolean
  readonly hear: FrameSocket["hear"]
}

const sizeOf = (event: FrameEvent): number =>
  event._tag === "Text" ? event.text.length : event._tag === "Bytes" ? event.bytes.byteLength : 0

/** Makes the inbox of a socket. */
export const makeFrameInbox = (): FrameInbox => {
  let listener: ((event: FrameEvent) => void) | null = null
  let events: Array<FrameEvent> = []
  let keptBytes = 0
  let closeEvent: FrameEvent | null = null
  return {
    add: (event) => {
      if (closeEvent !== null) return true
      if (event._tag === "Closed") closeEvent = event
      if (listener !== null) {
        listener(event)
        return true
      }
      const size = sizeOf(event)
      keptBytes += size
      if (event._tag !== "Closed" && keptBytes <= early.total) events.push(event)
      return size <= early.frame
    },
    hear: (hear) => {
      const before = events
      events = []
      listener = hear
      before.forEach(hear)
      if (closeEvent !== null) hear(closeEvent)
    }
  }
}
