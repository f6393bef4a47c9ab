import { Effect, type Scope } from "effect"
import type { Hint } from "./HintText.js"

/** Most hints of a topic that wait at a time. */
const maxWaiting = 1_000

/** Hints of a topic that wait, each once; beyond 1,000 of them a null hint takes their place. */
export class WaitingHints {
  readonly #hints = new Set<Hint>()

  /** Adds a hint; a null hint stands for all. */
  add(hint: Hint): void {
    if (this.#hints.has(null)) return
    const isBare = hint === null || (this.#hints.size >= maxWaiting && !this.#hints.has(hint))
    if (isBare) this.#hints.clear()
    this.#hints.add(isBare ? null : hint)
  }

  /** Removes and returns the oldest hint; undefined when there is none. */
  takeFirst(): Hint | undefined {
    for (const hint of this.#hints) {
      this.#hints.delete(hint)
      return hint
    }
    return undefined
  }

  /** Returns all hints, in the order in which they were added. */
  all(): ReadonlyArray<Hint> {
    return Array.from(this.#hints)
  }
}

interface Subscriber {
  readonly waiting: WaitingHints
  readonly bell: Effect.Latch
}

const takeOf = ({ bell, waiting }: Subscriber): Effect.Effect<Hint> => {
  const take: Effect.Effect<Hint> = Effect.suspend(() => {
    const hint = waiting.takeFirst()
    if (hint !== undefined) return Effect.succeed(hint)
    bell.unsafeClose()
    return Effect.zipRight(bell.await, take)
  })
  return take
}

/** The subscribers of one process. */
export class Subscriptions {
  readonly #topics = new Map<string, Set<Subscriber>>()

  /** Gives a hint to the subscribers of its topic. */
  deliver(topic: string, hint: Hint): void {
    for (const { bell, waiting } of this.#topics.get(topic) ?? []) {
      waiting.add(hint)
      bell.unsafeOpen()
    }
  }

  /** Gives a null hint to all subscribers, after others may have been missed. */
  deliverMissed(): void {
    for (const topic of this.#topics.keys()) this.deliver(topic, null)
  }

  /** Subscribes to a topic, as `Bus.subscribe` does. */
  readonly subscribe = (topic: string): Effect.Effect<Effect.Effect<Hint>, never, Scope.Scope> =>
    Effect.map(
      Effect.acquireRelease(
        Effect.sync(() => {
          const subscriber: Subscriber = { waiting: new WaitingHints(), bell: Effect.unsafeMakeLatch(false) }
          this.#topics.set(topic, (this.#topics.get(topic) ?? new Set()).add(subscriber))
          return subscriber
        }),
        (subscriber) =>
          Effect.sync(() => {
            const others = this.#topics.get(topic)
            others?.delete(subscriber)
            if (others?.size === 0) this.#topics.delete(topic)
          })
      ),
      takeOf
    )
}
