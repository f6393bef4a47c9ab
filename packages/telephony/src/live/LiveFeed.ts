import { type Scope as Workspace, scopeKey } from "@trunkline/kernel"
import { Context, Effect, Layer, Queue, type Scope, Stream } from "effect"
import type { LiveEvent } from "./LiveEvent.js"

/** How many events wait for somebody who watches; those that come after them are counted and left out. */
const BUFFER_SIZE = 1_000

interface Watcher {
  readonly queue: Queue.Queue<LiveEvent>
  missed: number
}

const offer = (watcher: Watcher, event: LiveEvent) => {
  if (watcher.missed > 0 && watcher.queue.unsafeOffer({ type: "missed", count: watcher.missed })) watcher.missed = 0
  if (watcher.missed > 0 || !watcher.queue.unsafeOffer(event)) watcher.missed += 1
}

/** What happens in calls, for those who watch. Telling costs nothing where nobody does, and never waits for anybody. */
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
  /** What a feed of live events does. */
  interface Service {
    /** Tells everybody who watches the workspace; the event is made only when somebody does. */
    readonly publish: (workspace: Workspace, event: () => LiveEvent) => Effect.Effect<void>
    /**
     * What happens in a workspace from now on, until the scope ends or the feed is closed. Somebody who is slow misses
     * events, and is told how many.
     */
    readonly watch: (workspace: Workspace) => Effect.Effect<Stream.Stream<LiveEvent>, never, Scope.Scope>
    /** Ends every stream, and those that are asked for later at once. */
    readonly close: Effect.Effect<void>
  }
}
