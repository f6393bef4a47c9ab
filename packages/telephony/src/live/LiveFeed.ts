import { type Scope as Workspace, scopeKey } from "@trunkline/kernel"
import { Context, Effect, Layer, Queue, type Scope, Stream } from "effect"
import type { LiveEvent } from "./LiveEvent.js"

/** Events buffered per watcher; further events are counted and dropped. */
const BUFFER_SIZE = 1_000

interface Watcher {
  readonly queue: Queue.Queue<LiveEvent>
  missed: number
}

const offer = (watcher: Watcher, event: LiveEvent) => {
  if (watcher.missed > 0 && watcher.queue.unsafeOffer({ type: "missed", count: watcher.missed })) watcher.missed = 0
  if (watcher.missed > 0 || !watcher.queue.unsafeOffer(event)) watcher.missed += 1
}

/** Live feed of call events. Publishing never waits, and creates no event when there are no watchers. */
export class LiveFeed extends Context.Reference<LiveFeed>()("@trunkline/telephony/LiveFeed", {
  defaultValue: (): LiveFeed.Service => ({
    publish: () => Effect.void,
    watch: () => Effect.succeed(Stream.empty),
    close: Effect.void
  })
}) {
  static readonly layer = Layer.sync(LiveFeed, (): LiveFeed.Service => {
    const watchers = new Map<string, Set<Watcher>>()
    let closed = false

    const join = (workspace: string) =>
      Effect.gen(function*() {
        const watcher: Watcher = { queue: yield* Queue.bounded<LiveEvent>(BUFFER_SIZE), missed: 0 }
        if (closed) yield* watcher.queue.shutdown
        watchers.set(workspace, (watchers.get(workspace) ?? new Set()).add(watcher))
        return watcher
      })

    const leave = (workspace: string, watcher: Watcher) =>
      Effect.suspend(() => {
        const others = watchers.get(workspace)
        others?.delete(watcher)
        if (others?.size === 0) watchers.delete(workspace)
        return watcher.queue.shutdown
      })

    return {
      publish: (scope, event) =>
        Effect.sync(() => {
          if (watchers.size === 0) return
          const watching = watchers.get(scopeKey(scope))
          if (watching === undefined) return
          const published = event()
          watching.forEach((watcher) => offer(watcher, published))
        }),
      watch: (scope) => {
        const workspace = scopeKey(scope)
        return Effect.map(
          Effect.acquireRelease(join(workspace), (watcher) => leave(workspace, watcher)),
          ({ queue }) => Stream.fromQueue(queue)
        )
      },
      close: Effect.suspend(() => {
        closed = true
        const all = Array.from(watchers.values(), (watching) => Array.from(watching)).flat()
        return Effect.forEach(all, ({ queue }) => queue.shutdown, { discard: true })
      })
    }
  })
}

export declare namespace LiveFeed {
  /** Operations of the live feed. */
  interface Service {
    /** Publishes to the watchers of the workspace; the event is created only when there are any. */
    readonly publish: (workspace: Workspace, event: () => LiveEvent) => Effect.Effect<void>
    /**
     * Events of a workspace from now on, until the scope ends or the feed is closed. A slow watcher misses events and
     * receives their count.
     */
    readonly watch: (workspace: Workspace) => Effect.Effect<Stream.Stream<LiveEvent>, never, Scope.Scope>
    /** Ends all streams; streams opened later end immediately. */
    readonly close: Effect.Effect<void>
  }
}
