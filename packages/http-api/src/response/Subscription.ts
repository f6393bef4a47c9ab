import type { FrameSocket } from "@trunkline/telephony"
import { Context, Duration, type Effect, Option, type Scope } from "effect"

/** Server side of a WebSocket (RFC 6455). Its effects do nothing once the client has disconnected. */
export interface ServerSocket {
  /** Sends a text frame. Completes when the connection has accepted it, which applies backpressure to the sender. */
  readonly send: (text: string) => Effect.Effect<void>
  /** Sends a close frame with a code and a reason of at most 123 bytes. */
  readonly close: (code: number, reason: string) => Effect.Effect<void>
  /** Completes when the client has disconnected or was disconnected. */
  readonly closed: Effect.Effect<void>
  /** The same socket for frames in both directions. */
  readonly frames: FrameSocket
}

/**
 * Upgrades the current request to a WebSocket that closes with the scope; none where the server does not support
 * WebSockets. Adapters provide it only for requests that ask for an upgrade.
 */
export class SocketUpgrade extends Context.Reference<SocketUpgrade>()("@trunkline/http-api/SocketUpgrade", {
  defaultValue: (): Option.Option<Effect.Effect<ServerSocket, never, Scope.Scope>> => Option.none()
}) {}

/**
 * True for an event stream that was requested with GET. Such a stream has no end, so closing the server must end it;
 * every other response is allowed to finish.
 */
export const isSubscription = (
  { method }: { readonly method?: string | undefined },
  contentType = ""
): boolean => method === "GET" && contentType.startsWith("text/event-stream")

/** Time after which closing the server cuts the event stream of a client that does not read: 3 seconds. */
export const subscriptionCloseTimeout = Duration.seconds(3)
