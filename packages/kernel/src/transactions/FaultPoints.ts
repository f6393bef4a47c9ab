import { Context, type Effect } from "effect"

/** A transformation of an effect that keeps its type. */
export type Around = <A, E, R>(effect: Effect.Effect<A, E, R>) => Effect.Effect<A, E, R>

const identity: Around = (effect) => effect

/**
 * Named points at which a test can make the engine crash. A service looks its points up once, when it is built. Unless a
 * test provides them, each is the identity function, so that production code runs unchanged.
 *
 * A point is named after the step that has just completed, such as `claim.kept`.
 *
 * @example
 * ```ts
 * const faults = yield* FaultPoints
 * const claim = store.claim(now).pipe(faults.after("claim.kept"))
 * ```
 */
export class FaultPoints extends Context.Reference<FaultPoints>()("@trunkline/kernel/FaultPoints", {
  defaultValue: (): FaultPoints.Service => ({ after: () => identity })
}) {}

export declare namespace FaultPoints {
  /** Implementation of fault points. */
  export interface Service {
    /** The transformation of effects at this point, which may add a fault once the effect has succeeded. */
    readonly after: (point: string) => Around
  }
}
