import { Cause, Effect, Exit } from "effect"

/** Most payments of one transaction, so that none waits long for the last of them. */
const maxPayments = 100

/** A payment that waits for its transaction. */
interface Waiting {
  /** Executes the payment; dies when the ledger does. */
  readonly attempt: Effect.Effect<void>
  /** Discards the outcome of the payment, because its transaction was rolled back. */
  readonly discard: () => void
  /** Makes it the leader of the next transaction. */
  readonly lead: () => void
  /** Continues it after its transaction. */
  readonly wake: () => void
}

/**
 * Executes payments that arrive together in one transaction, in the order of arrival. The first to arrive is the leader: it
 * runs the transaction for all, and makes the next one that waits the leader. A payment that fails must not have written
 * before. If the transaction dies or its leader is interrupted, each payment runs again in its own transaction, so payments
 * must be repeatable.
 */
export const makePaymentBatches = (run: <A, E>(payment: Effect.Effect<A, E>) => Effect.Effect<A, E>) => {
  const queue = new Set<Waiting>()
  let isLed = false

  const appointNext = () => {
    const [next] = queue
    if (next === undefined) isLed = false
    else next.lead()
  }

  /** Takes the payments at the head of the queue. */
  const takeBatch = (): ReadonlyArray<Waiting> => {
    const batch: Array<Waiting> = []
    for (const waiting of queue) {
      if (batch.length === maxPayments) break
      queue.delete(waiting)
      batch.push(waiting)
    }
    return batch
  }

  const runBatch = (batch: ReadonlyArray<Waiting>): Effect.Effect<void> =>
    run(Effect.forEach(batch, ({ attempt }) => attempt, { discard: true })).pipe(
      Effect.onExit((exit) =>
        Effect.sync(() => {
          for (const { discard, wake } of batch) {
            if (Exit.isFailure(exit)) discard()
            wake()
          }
        })
      ),
      Effect.catchAllCause((cause) => Cause.isInterruptedOnly(cause) ? Effect.failCause(cause) : Effect.void)
    )

  return <A, E>(payment: Effect.Effect<A, E>): Effect.Effect<A, E> =>
    Effect.uninterruptibleMask((restore) =>
      Effect.suspend(() => {
        let outcome: Exit.Exit<A, E> | undefined
        let isLeader = !isLed
        let wake = () => {}
        isLed = true
        const attempt = Effect.flatMap(Effect.exit(payment), (exit) => {
          outcome = exit
          return Exit.isFailure(exit) && !Cause.isFailure(exit.cause)
            ? Effect.failCause(Cause.die(exit.cause))
            : Effect.void
        })
        const waiting: Waiting = {
          attempt,
          discard: () => outcome = undefined,
          lead: () => {
            isLeader = true
            wake()
          },
          wake: () => wake()
        }
        queue.add(waiting)
        const isAwake = Effect.async<void>((resume) => {
          wake = () => resume(Effect.void)
        })
        const alone = Effect.suspend(() => outcome ?? run(payment))
        const lead = Effect.zipRight(
          Effect.yieldNow(),
          Effect.suspend(() => {
            const batch = takeBatch()
            return batch.length > 1 ? Effect.zipRight(runBatch(batch), alone) : alone
          })
        )
        const turn = Effect.suspend(() => isLeader ? lead : alone)
        const leave = Effect.sync(() => {
          queue.delete(waiting)
          if (isLeader) appointNext()
        })
        return Effect.ensuring(isLeader ? restore(lead) : restore(Effect.zipRight(isAwake, turn)), leave)
      })
    )
}
