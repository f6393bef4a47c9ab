import { Context, type Effect, Option, type Scope } from "effect"

/** The server's end of a WebSocket (RFC 6455). Every effect of it is harmless once the client is gone. */
export interface ServerSocket {
  /** Sends a text frame; completes when the client's connection has taken it, which is what slows a sender down. */
  readonly send: (text: string) => Effect.Effect<void>
  /** Says goodbye with a close code and a reason of at most 123 bytes. */
  readonly close: (code: number, reason: string) => Effect.Effect<void>
  /** Completes when the client has gone, or was cut off. */
  readonly closed: Effect.Effect<void>
}

/**
 * Turns the request that is being answered into a WebSocket, which ends with the scope; none where the server knows only
 * requests and answers. Adapters provide it for requests that ask for an upgrade, and for those only.
 */
export class SocketUpgrade extends Context.Reference<SocketUpgrade>()("@trunkline/http-api/SocketUpgrade", {
  defaultValue: (): Option.Option<Effect.Effect<ServerSocket, never, Scope.Scope>> => Option.none()
}) {}
