import { Effect, Queue, type Scope, Stream } from "effect"
import type { LiveEvent } from "./LiveEvent.js"

/** Events buffered per watcher; further events are counted and dropped. */
const bufferSize = 1_000

interface Watcher {
  readonly queue: Queue.Queue<LiveEvent>
  missed: number
}

const offer = (watcher: Watcher, event: LiveEvent) => {
  if (watcher.missed > 0 && watcher.queue.unsafeOffer({ type: "missed", count: watcher.missed })) watcher.missed = 0
  if (watcher.missed > 0 || !watcher.queue.unsafeOffer(event)) watcher.missed += 1
}

/** Watchers of this process, by the keys of their workspaces. */
export class Watchers {
  readonly #workspaces = new Map<string, Set<Watcher>>()
  #closed = false

  /** Keys of the workspaces that have watchers. */
  get workspaces(): ReadonlyArray<string> {
    return Array.from(this.#workspaces.keys())
  }

  /** True when no workspace has watchers. */
  get isEmpty(): boolean {
    return this.#workspaces.size === 0
  }

  /** Checks for watchers of a workspace. */
  has(workspace: string): boolean {
    return this.#workspaces.has(workspace)
  }

  /** Gives an event to the watchers of a workspace. */
  deliver(workspace: string, event: LiveEvent): void {
    this.#workspaces.get(workspace)?.forEach((watcher) => offer(watcher, event))
  }

  /** Events of a workspace from now on, until the scope ends or all streams are ended. */
  watch(workspace: string): Effect.Effect<Stream.Stream<LiveEvent>, never, Scope.Scope> {
    return Effect.map(
      Effect.acquireRelease(this.#join(workspace), (watcher) => this.#leave(workspace, watcher)),
      ({ queue }) => Stream.fromQueue(queue)
    )
  }

  /** Ends all streams; later ones end immediately. */
  readonly close = Effect.suspend(() => {
    this.#closed = true
    const watchers = Array.from(this.#workspaces.values(), (watching) => Array.from(watching)).flat()
    return Effect.forEach(watchers, ({ queue }) => queue.shutdown, { discard: true })
  })

  #join(workspace: string) {
    return Effect.gen(this, function*() {
      const watcher: Watcher = { queue: yield* Queue.bounded<LiveEvent>(bufferSize), missed: 0 }
      if (this.#closed) yield* watcher.queue.shutdown
      this.#workspaces.set(workspace, (this.#workspaces.get(workspace) ?? new Set()).add(watcher))
      return watcher
    })
  }

  #leave(workspace: string, watcher: Watcher) {
    return Effect.suspend(() => {
      const others = this.#workspaces.get(workspace)
      others?.delete(watcher)
      if (others?.size === 0) this.#workspaces.delete(workspace)
      return watcher.queue.shutdown
    })
  }
}
