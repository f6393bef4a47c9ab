import { Context, Effect, type Scope } from "effect"
import { bareBeyondLimit, type Hint } from "./HintText.js"
import { Subscriptions } from "./Subscriptions.js"

/**
 * Hints between the engine processes of one database. A process does not hear itself: it knows what it has done.
 *
 * A hint only makes others look sooner at what they would find by polling. It may be lost, come twice, or come before or
 * after what it announces can be read; equal ones within some 10 ms are sent once. Payloads too large for a message (7,000
 * bytes with their topic), too many hints at a time (1,000 for a topic), and a lost connection become null hints. The
 * default has no other processes.
 *
 * @example
 * ```ts
 * const bus = yield* Bus
 * const news = yield* bus.subscribe("line-freed")
 * yield* Effect.forkScoped(Effect.forever(Effect.zipRight(news, lookAgain)))
 * ```
 */
export class Bus extends Context.Reference<Bus>()("@trunkline/kernel/Bus", {
  defaultValue: (): Bus.Service => ({
    isShared: false,
    publish: () => Effect.void,
    subscribe: () => Effect.succeed(Effect.never)
  })
}) {}

export declare namespace Bus {
  /** Operations of the bus. */
  interface Service {
    /** False when there are no other processes, so that nobody needs to poll for their doings. */
    readonly isShared: boolean
    /** Sends a hint to the other processes. Never fails, and never waits for the network. Topics should be few. */
    readonly publish: (topic: string, payload?: string) => Effect.Effect<void>
    /**
     * Subscribes to the hints of a topic until the scope ends. The result waits for the next hint and takes it; a null hint
     * takes the place of all that wait.
     */
    readonly subscribe: (topic: string) => Effect.Effect<Effect.Effect<Hint>, never, Scope.Scope>
  }
}

/**
 * Makes a bus in memory, for several engines in one process; the result adds a member, which hears the other ones.
 *
 * @example
 * ```ts
 * const join = yield* makeMemoryBus
 * const [first, second] = [Layer.effect(Bus, join), Layer.effect(Bus, join)]
 * ```
 */
export const makeMemoryBus: Effect.Effect<Effect.Effect<Bus.Service>> = Effect.sync(() => {
  const members = new Set<Subscriptions>()
  return Effect.sync((): Bus.Service => {
    const subscriptions = new Subscriptions()
    members.add(subscriptions)
    return {
      isShared: true,
      publish: (topic, payload) =>
        Effect.sync(() => {
          const hint = bareBeyondLimit(topic, payload ?? null)
          for (const member of members) if (member !== subscriptions) member.deliver(topic, hint)
        }),
      subscribe: subscriptions.subscribe
    }
  })
})
