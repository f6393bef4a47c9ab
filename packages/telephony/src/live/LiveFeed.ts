import { Bus, type Scope as Workspace, scopeKey } from "@trunkline/kernel"
import { Context, Effect, Layer, type Scope, Stream } from "effect"
import type { LiveEvent } from "./LiveEvent.js"
import { exchangeEvents } from "./OtherProcesses.js"
import { Watchers } from "./Watchers.js"

/**
 * Live feed of call events, with those of all processes that share a bus. Publishing never waits, and creates no event when
 * there are no watchers.
 */
export class LiveFeed extends Context.Reference<LiveFeed>()("@trunkline/telephony/LiveFeed", {
  defaultValue: (): LiveFeed.Service => ({
    publish: () => Effect.void,
    watch: () => Effect.succeed(Stream.empty),
    close: Effect.void
  })
}) {
  static readonly layer = Layer.scoped(
    LiveFeed,
    Effect.gen(function*() {
      const bus = yield* Bus
      const watchers = new Watchers()
      const others = bus.isShared ? yield* exchangeEvents(bus, watchers) : null
      return {
        publish: (scope, event) =>
          Effect.suspend(() => {
            if (watchers.isEmpty && others === null) return Effect.void
            const workspace = scopeKey(scope)
            const isWatched = watchers.has(workspace)
            const isWatchedElsewhere = others?.isWatched(workspace) === true
            if (!isWatched && !isWatchedElsewhere) return Effect.void
            const liveEvent = event()
            watchers.deliver(workspace, liveEvent)
            return isWatchedElsewhere ? others.send(workspace, liveEvent) : Effect.void
          }),
        watch: (scope) => {
          const workspace = scopeKey(scope)
          const watching = watchers.watch(workspace)
          return others === null ? watching : Effect.tap(watching, others.ask(workspace))
        },
        close: watchers.close
      }
    })
  )
}

export declare namespace LiveFeed {
  /** Operations of the live feed. */
  interface Service {
    /** Publishes to the watchers of the workspace; the event is created only when there are any. */
    readonly publish: (workspace: Workspace, event: () => LiveEvent) => Effect.Effect<void>
    /**
     * Events of a workspace from now on, until the scope ends or the feed is closed: those of this process at once, those
     * of other processes within some ten milliseconds. A watcher that is too slow, or whose connection to the other processes
     * was lost, misses events and receives their count.
     */
    readonly watch: (workspace: Workspace) => Effect.Effect<Stream.Stream<LiveEvent>, never, Scope.Scope>
    /** Ends all streams; streams opened later end immediately. */
    readonly close: Effect.Effect<void>
  }
}
