import { Context, type Effect } from "effect"

/** Changes nothing about an effect, or what a test wants changed about it. */
export type Around = <A, E, R>(effect: Effect.Effect<A, E, R>) => Effect.Effect<A, E, R>

const untouched: Around = (effect) => effect

/**
 * Named moments at which a test may let the engine crash. A service asks for its points once, when it is built; unless
 * a test provides points, what comes back is the identity, so that in production the very same effect runs.
 *
 * A point is named after what has just happened, such as `claim.kept`.
 */
export class FaultPoints extends Context.Reference<FaultPoints>()("@trunkline/kernel/FaultPoints", {
  defaultValue: (): FaultPoints.Service => ({ after: () => untouched })
}) {}

export declare namespace FaultPoints {
  /** Where faults may strike. */
  export interface Service {
    /** What strikes, if anything, once the effect has succeeded. */
    readonly after: (point: string) => Around
  }
}
