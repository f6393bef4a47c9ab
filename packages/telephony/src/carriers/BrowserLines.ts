import { Context, Effect } from "effect"
import type { AudioLine } from "../call/AudioLine.js"
import type { CallProgress } from "../call/CallWatch.js"
import { NotAnswered } from "./Carrier.js"
import type { FrameSocket } from "./FrameSocket.js"

/** The line of a call from a browser, whose client is ready to hear and to speak. */
export interface BrowserLine {
  readonly line: AudioLine
  /** Tells the client what happens; does nothing after the end. */
  readonly tell: (progress: CallProgress) => void
}

/** Why a call from a browser ends before it began, or is refused. */
export type BrowserRefusal =
  | "token_invalid"
  | "token_expired"
  | "token_used"
  | "origin_refused"
  | "busy"
  | "unavailable"

/**
 * Port to the protocol of calls from browsers and other WebSocket clients (docs/browser-calls.md). By default there is none,
 * and no such call is answered.
 */
export class BrowserLines extends Context.Reference<BrowserLines>()("@trunkline/telephony/BrowserLines", {
  defaultValue: (): BrowserLines.Service => ({
    open: () => new NotAnswered({ status: "failed", reason: "browser: calls from browsers are not set up" }),
    refuse: (socket) => Effect.sync(() => socket.close(1013, "Calls from browsers are not set up"))
  })
}) {}

export declare namespace BrowserLines {
  /** Service of the reference. */
  export interface Service {
    /** Greets the client of a socket, and completes once it is ready. */
    readonly open: (
      socket: FrameSocket,
      options: {
        /** Id that the client is told. */
        readonly attempt_id: string
        /** Longest duration of the call in milliseconds, which nothing postpones. */
        readonly limitMillis: number
      }
    ) => Effect.Effect<BrowserLine, NotAnswered>
    /** Tells the client of a socket why there is no call, and closes it. */
    readonly refuse: (socket: FrameSocket, why: BrowserRefusal) => Effect.Effect<void>
  }
}
