import { AttemptId } from "@trunkline/kernel"
import { type CallEvent, EventRefused, type EventRequest, type EventsRead } from "@trunkline/telephony"
import { Clock, Effect, Schema, type Scope } from "effect"
import type { ApiClient } from "../rest/ApiClient.js"
import { readNotice } from "../rest/ReadNotice.js"
import { streamAddress } from "../settings/PublicAddress.js"
import { qualifyId } from "./CallIds.js"
import type { CallSessions } from "./CallSessions.js"
import type { InboundCalls } from "./InboundCalls.js"

const isAttemptId = Schema.is(AttemptId)

/** Parts of a carrier that requests of a provider need. */
export interface NoticeParts {
  readonly client: ApiClient
  readonly sessions: CallSessions
  readonly inbound: InboundCalls
  readonly scope: Scope.Scope
  /** False for a process that answers no calls. */
  readonly takesCalls: boolean
}

/** Verifies a request of a provider and does what it asks for: stores a change, answers an inbound call, or gives a stream. */
export const receiveNotice = (
  { client, inbound, scope, sessions, takesCalls }: NoticeParts,
  request: EventRequest
): Effect.Effect<EventsRead, EventRefused> =>
  Effect.gen(function*() {
    const { connection } = request
    const { line } = client
    const notice = yield* readNotice(line, request, yield* Clock.currentTimeMillis)
    switch (notice._tag) {
      case "Other":
        return { events: [] }
      case "Status": {
        const event: CallEvent = {
          event_id: qualifyId(connection, notice.event_id),
          provider_call_id: qualifyId(connection, notice.call_id),
          attempt_id: isAttemptId(notice.attempt_id) ? notice.attempt_id : null,
          news: notice.news
        }
        return { events: [event] }
      }
      case "Machine": {
        const session = sessions.byCall(connection.connection_id, notice.call_id)
        if (!notice.isMachine || session === undefined) return { events: [] }
        session.isMachine = true
        yield* Effect.forkIn(session.onMachine?.() ?? session.endLine?.(true) ?? Effect.void, scope)
        return { events: [] }
      }
      case "Instruct": {
        const { reply } = line.connect(null, streamAddress(line.settings, connection.connection_id, notice.token))
        return { events: [], ...(reply !== undefined && { reply }) }
      }
      case "Inbound": {
        if (!takesCalls) return yield* new EventRefused({ why: "not_taken" })
        const reply = yield* inbound.receive(client, notice)
        return { events: [], ...(reply !== null && { reply }) }
      }
    }
  })
