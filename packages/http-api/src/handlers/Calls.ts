import { HttpApiBuilder, HttpServerResponse } from "@effect/platform"
import { Engine } from "@trunkline/engine"
import { type CampaignId, type Scope as Workspace, sseComment, sseFrame } from "@trunkline/kernel"
import type { Connecting } from "@trunkline/rate-limits"
import { LiveEvent } from "@trunkline/telephony"
import { Chunk, Effect, identity, Option, Schedule, Schema, Stream } from "effect"
import { Requester } from "../Admission.js"
import { Api } from "../Api.js"
import { eventStreamOf, heartbeat } from "../EventStream.js"
import { type ServerSocket, SocketUpgrade } from "../SocketUpgrade.js"

const encodeEvent = Schema.encodeSync(Schema.parseJson(LiveEvent))

/** Close codes of WebSockets (RFC 6455, 7.4.1): the server goes away, what it does not accept, and a broken rule. */
const goingAway = 1001
const refused = 1003
const violation = 1008

const frame = (event: LiveEvent) => sseFrame(encodeEvent(event), event.type)

/** Only the events of one campaign's attempts, and how many were left out. */
const ofCampaign = (campaign: CampaignId) => (events: Stream.Stream<LiveEvent>) =>
  Stream.filter(events, (event) => event.type === "missed" || event.campaign_id === campaign)

/** What a connection is for, and until when. */
interface Watching {
  readonly connecting: Connecting
  readonly events: Stream.Stream<LiveEvent>
  readonly revoked: Effect.Effect<void>
}

/** Answers the routes of calls as they go on. */
export const calls = HttpApiBuilder.group(Api, "calls", (handlers) =>
  Effect.map(Engine, ({ limits, live }) => {
    const eventsOf = (scope: Workspace, campaign: CampaignId | undefined) =>
      Effect.map(live.watch(scope), campaign === undefined ? identity : ofCampaign(campaign))

    const bySocket = (socket: ServerSocket, { connecting, events, revoked }: Watching) =>
      limits.connect(connecting).pipe(
        Effect.matchEffect({
          onFailure: ({ message }) => socket.close(refused, message),
          onSuccess: () =>
            Stream.runForEach(events, (event) => socket.send(encodeEvent(event))).pipe(
              Effect.zipRight(socket.close(goingAway, "The server goes away")),
              Effect.raceFirst(Effect.zipRight(revoked, socket.close(violation, "The API key opens nothing any more"))),
              Effect.raceFirst(socket.closed)
            )
        }),
        Effect.as(HttpServerResponse.empty())
      )

    const byEvents = ({ events, revoked }: Watching) =>
      eventStreamOf(
        Stream.merge(
          Stream.prepend(Stream.map(Stream.interruptWhen(events, revoked), frame), Chunk.of(sseComment)),
          Stream.fromSchedule(Schedule.spaced(heartbeat)).pipe(Stream.as(sseComment)),
          { haltStrategy: "left" }
        )
      )

    return handlers.handleRaw("live", ({ urlParams }) =>
      Effect.gen(function*() {
        const { caller, revoked, scope } = yield* Requester
        const events = yield* eventsOf(scope, urlParams.campaign_id)
        const connecting = { who: { ...caller, scope }, api: "calls_live" }
        const watching = { connecting, events, revoked }
        const upgrade = yield* SocketUpgrade
        if (Option.isSome(upgrade)) return yield* bySocket(yield* upgrade.value, watching)
        yield* limits.connect(connecting)
        return byEvents(watching)
      }))
  }))
