import type { Overloaded } from "@trunkline/errors"
import { Context, Effect, Layer } from "effect"

/**
 * How much a request matters when there is not time for all, least first: uploads and exports, lists and records,
 * conversations with models, and what phone calls depend on. Calls are never shed.
 */
export type Importance = "batch" | "records" | "conversation" | "calls"

/** Sheds load before the server drowns in it: the least important first, and what calls depend on never. */
export class Load extends Context.Tag("@trunkline/rate-limits/Load")<Load, {
  /** Lets a request in, or refuses it for now (503 with Retry-After). */
  readonly admit: (importance: Importance) => Effect.Effect<void, Overloaded>
  /** Counts work as in flight while it goes on. */
  readonly track: <A, E, R>(work: Effect.Effect<A, E, R>) => Effect.Effect<A, E, R>
  /** How hard it is pressed: 1 is where shedding begins. */
  readonly pressure: Effect.Effect<number>
}>() {
  /** Lets everything in. */
  static readonly layerUnlimited = Layer.succeed(Load, {
    admit: () => Effect.void,
    track: (work) => work,
    pressure: Effect.succeed(0)
  })
}
