import { Context, Duration, Effect, Layer, Queue } from "effect"
import { describeCause } from "../concurrency/RetryForever.js"

/**
 * Kinds of faults: `call` for a call that failed on our side or at its provider, `handler` for a function of the host that
 * threw, `tool` for a tool of an agent, `webhook` for a webhook and `report` for a scheduled report that was given up.
 */
export type EngineFaultKind = "call" | "handler" | "tool" | "webhook" | "report"

/** Something that the engine could not do. Fields that do not apply are null. */
export interface EngineFault {
  readonly kind: EngineFaultKind
  /** Description and reason, without secrets, phone numbers and personal data. */
  readonly message: string
  /** Workspace, as `org/workspace`. */
  readonly workspace: string | null
  readonly attempt_id: string | null
  readonly webhook_id: string | null
  /** Name of the tool or of the handler; the channel of a report. */
  readonly name: string | null
  /** Error that was thrown or that failed, as it is: it may hold secrets. */
  readonly cause: unknown
}

/** Faults that may wait to be heard; further ones are dropped, which is logged. */
const maxQueued = 1_000

/** Longest time that a hearer may take over a fault. */
const hearTimeout = Duration.seconds(15)

/** Time for what is left when the layer closes. */
const closeTimeout = Duration.seconds(5)

/** Makes a fault; fields that are not given are null. */
export const engineFault = (
  fault: Pick<EngineFault, "kind" | "message"> & Partial<EngineFault>
): EngineFault => ({ workspace: null, attempt_id: null, webhook_id: null, name: null, cause: null, ...fault })

/** Hears what the engine could not do; nobody does by default. */
export class EngineFaults extends Context.Reference<EngineFaults>()("@trunkline/kernel/EngineFaults", {
  defaultValue: (): EngineFaults.Service => ({ report: () => Effect.void })
}) {
  /**
   * Gives faults to a hearer, one after the other, while the engine goes on. 1,000 of them may wait; it has 15 seconds for
   * each. What it throws is logged. Closing the layer waits up to 5 seconds for what is left.
   *
   * @example
   * ```ts
   * const faults = EngineFaults.layer(({ kind, message }) => Effect.logError(`${kind}: ${message}`))
   * const engine = Engine.layerSqlite({ data: "./data", agents: [], connections: [] }).pipe(Layer.provide(faults))
   * ```
   */
  static readonly layer = (hear: (fault: EngineFault) => Effect.Effect<void, unknown>): Layer.Layer<EngineFaults> =>
    Layer.scopedContext(
      Effect.gen(function*() {
        const queue = yield* Queue.dropping<EngineFault>(maxQueued)
        let dropCount = 0

        const hearOne = (fault: EngineFault): Effect.Effect<void> =>
          Effect.suspend(() => hear(fault)).pipe(
            Effect.timeout(hearTimeout),
            Effect.catchAllCause((cause) =>
              Effect.logWarning("A fault of the engine could not be heard: its hearer failed", describeCause(cause))
            )
          )

        const logDropped = Effect.suspend(() => {
          const count = dropCount
          dropCount = 0
          return count === 0
            ? Effect.void
            : Effect.logWarning(`${count} faults of the engine were not heard: too many waited for their hearer`)
        })

        const hearNext = Effect.flatMap(Queue.take(queue), (fault) => Effect.zipRight(logDropped, hearOne(fault)))
        yield* Effect.addFinalizer(() =>
          Effect.flatMap(Queue.takeAll(queue), Effect.forEach(hearOne, { discard: true })).pipe(
            Effect.interruptible,
            Effect.timeoutOption(closeTimeout),
            Effect.zipRight(logDropped)
          )
        )
        yield* Effect.forkScoped(Effect.forever(hearNext))

        return Context.make(EngineFaults, {
          report: (fault) =>
            Effect.sync(() => {
              if (!queue.unsafeOffer(fault)) dropCount += 1
            })
        })
      })
    )
}

export declare namespace EngineFaults {
  /** Service of the reference. */
  export interface Service {
    /** Takes a fault at once; never fails. */
    readonly report: (fault: EngineFault) => Effect.Effect<void>
  }
}
