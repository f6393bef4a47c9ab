import type { BusinessTime, Scope } from "@trunkline/kernel"
import { lineChanged, type Lines, type LiveFeed } from "@trunkline/telephony"
import { Effect, Stream } from "effect"

/** Watches the calls of a workspace and, as long as these are shown, the state of its lines. */
export const watchLive =
  (feed: LiveFeed.Service, lines: typeof Lines.Service, time: BusinessTime.Service) => (workspace: Scope) =>
    Effect.map(feed.watch(workspace), (events) => {
      const changes = Stream.mapEffect(
        lines.changes(workspace),
        (line) => Effect.map(time.now, (now) => lineChanged(line, now))
      )
      return Stream.merge(events, changes, { haltStrategy: "left" })
    })
