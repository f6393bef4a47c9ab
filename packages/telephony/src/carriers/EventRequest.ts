import { Issue } from "@trunkline/errors"
import { Schema } from "effect"
import type { CallEvent } from "../events/CallEventStore.js"
import type { Connection } from "./Connection.js"

/** An incoming event request is not authentic or cannot be parsed. */
export class EventRefused extends Schema.TaggedError<EventRefused>()("EventRefused", {
  /**
   * `signature`: not proven to come from the provider. `malformed`: authentic, but not a valid event. `not_taken`: valid, but
   * of a call for us that this process cannot take.
   */
  why: Schema.Literal("signature", "malformed", "not_taken"),
  /** Validation errors of a malformed request, safe to return to the provider. */
  issues: Schema.optionalWith(Schema.Array(Issue), { default: () => [] })
}) {}

/** An HTTP request of a provider: it pushes events, or asks what to do with a call. */
export interface EventRequest {
  readonly method: "GET" | "POST"
  /** Path and query as this server received them, below the prefix of its host: `/v1/connections/line-1/events?about=status`. */
  readonly url: string
  /** Header names are in lower case. */
  readonly headers: Readonly<Record<string, string>>
  /** Address of the peer of the connection, which may be a proxy; null where the host does not tell it. */
  readonly remoteAddress: string | null
  readonly body: Uint8Array
  readonly connection: Connection
}

/** Response to a provider that asked what to do with a call. */
export interface EventReply {
  /** 200 by default. */
  readonly status?: number
  /** Headers beside those of the body; names are in lower case. */
  readonly headers?: Readonly<Record<string, string>>
  readonly contentType: string
  readonly body: string
}

/** Content of a request of a provider. */
export interface EventsRead {
  readonly events: ReadonlyArray<CallEvent>
  /** Sent once the events are stored; absent: an empty response with the status 204. */
  readonly reply?: EventReply
}
