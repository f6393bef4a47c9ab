import { HttpServerResponse } from "@effect/platform"
import { Engine } from "@trunkline/engine"
import { type CampaignId, type Scope as Workspace, sseComment, sseFrame } from "@trunkline/kernel"
import type { ConnectionRequest } from "@trunkline/rate-limits"
import { isEventOf, LiveEvent } from "@trunkline/telephony"
import { Chunk, Effect, Option, Schedule, Schema, Stream } from "effect"
import { withScope, WorkspaceCaller } from "../../api/Admission.js"
import { eventStreamResponse, heartbeatInterval } from "../../response/EventStream.js"
import { type ServerSocket, SocketUpgrade } from "../../response/Subscription.js"
import { routeHandlers } from "../../RouteHandlers.js"

const encodeEvent = Schema.encodeSync(Schema.parseJson(LiveEvent))

/** Close codes of WebSockets (RFC 6455, section 7.4.1). */
const closeCode = { goingAway: 1001, unsupportedData: 1003, policyViolation: 1008 } as const

const eventFrame = (event: LiveEvent) => sseFrame(encodeEvent(event), event.type)

/** Keeps the events of one campaign, and the counts of missed events. */
const filterByCampaign = (campaign: CampaignId) => (events: Stream.Stream<LiveEvent>) =>
  Stream.filter(events, (event) => isEventOf(event, campaign))

/** An admitted client of the live feed. */
interface LiveClient {
  readonly connectionRequest: ConnectionRequest
  readonly events: Stream.Stream<LiveEvent>
  readonly revocation: Effect.Effect<void>
}

/** Handlers of live events of calls, and of tokens for calls from browsers. */
export const liveCallsHandlers = routeHandlers(
  "calls",
  (handlers) =>
    Effect.map(Engine, ({ browserCalls, campaigns, limits, live }) => {
      const eventsOf = (
        scope: Workspace,
        { campaign_id, ongoing }: {
          readonly campaign_id?: CampaignId | undefined
          readonly ongoing?: boolean | undefined
        }
      ) =>
        campaign_id === undefined
          ? live.watch(scope, { ongoing })
          : Effect.zipRight(
            campaigns.get(scope, campaign_id),
            Effect.map(live.watch(scope, { ongoing }), filterByCampaign(campaign_id))
          )

      const serveSocket = (socket: ServerSocket, { connectionRequest, events, revocation }: LiveClient) =>
        limits.connect(connectionRequest).pipe(
          Effect.matchEffect({
            onFailure: ({ message }) => socket.close(closeCode.unsupportedData, message),
            onSuccess: () =>
              Stream.runForEach(events, (event) => socket.send(encodeEvent(event))).pipe(
                Effect.zipRight(socket.close(closeCode.goingAway, "The server is shutting down")),
                Effect.raceFirst(
                  Effect.zipRight(revocation, socket.close(closeCode.policyViolation, "The API key was revoked"))
                ),
                Effect.raceFirst(socket.closed)
              )
          }),
          Effect.as(HttpServerResponse.empty())
        )

      const serveEvents = ({ events, revocation }: LiveClient) =>
        eventStreamResponse(
          Stream.merge(
            Stream.prepend(Stream.map(Stream.interruptWhen(events, revocation), eventFrame), Chunk.of(sseComment)),
            Stream.fromSchedule(Schedule.spaced(heartbeatInterval)).pipe(Stream.as(sseComment)),
            { haltStrategy: "left" }
          )
        )

      return handlers
        .handleRaw("calls.live", ({ urlParams }) =>
          Effect.gen(function*() {
            const { caller, revoked: revocation, scope } = yield* WorkspaceCaller
            const events = yield* eventsOf(scope, urlParams)
            const connectionRequest = { subject: { ...caller, scope }, api: "calls_live" }
            const client = { connectionRequest, events, revocation }
            const upgrade = yield* SocketUpgrade
            if (Option.isSome(upgrade)) return yield* serveSocket(yield* upgrade.value, client)
            yield* limits.connect(connectionRequest)
            return serveEvents(client)
          }))
        .handle("calls.talk", ({ payload }) => withScope((scope) => browserCalls.create(scope, payload)))
    })
)
