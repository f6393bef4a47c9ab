import { BusinessTime, type Scope as Workspace } from "@trunkline/kernel"
import { lineChanged, Lines, type LiveEvent, LiveFeed, OngoingCalls } from "@trunkline/telephony"
import { Effect, type Scope, Stream } from "effect"

/** Watches the calls of a workspace and, as long as these are shown, the state of its lines. */
export type WatchLive = (workspace: Workspace, options?: {
  /** True to begin with an `attempt.ongoing` for each call that goes on, the newest 500; false by default. */
  readonly ongoing?: boolean | undefined
}) => Effect.Effect<Stream.Stream<LiveEvent>, never, Scope.Scope>

/** Makes the live events of workspaces from those of calls and of lines. */
export const watchLive = Effect.gen(function*() {
  const feed = yield* LiveFeed
  const lines = yield* Lines
  const time = yield* BusinessTime
  const ongoing = yield* OngoingCalls
  const watch: WatchLive = (workspace, options = {}) =>
    Effect.gen(function*() {
      const events = yield* feed.watch(workspace)
      const snapshot = options.ongoing === true ? yield* ongoing.snapshot(workspace) : null
      const calls = snapshot === null
        ? events
        : Stream.concat(Stream.fromIterable(snapshot.events), Stream.filter(events, snapshot.isNews))
      const changes = Stream.mapEffect(
        lines.changes(workspace),
        (line) => Effect.map(time.now, (now) => lineChanged(line, now))
      )
      return Stream.merge(calls, changes, { haltStrategy: "left" })
    })
  return watch
})
