import { Cause, Effect, Either, Exit } from "effect"

/** True for an effect that has its result already, as an `Exit`. */
export const hasExit = <A, E, R>(effect: Effect.Effect<A, E, R>): effect is Exit.Exit<A, E> => Exit.isExit(effect)

const isEither = <A, E, R>(effect: Effect.Effect<A, E, R>): effect is Either.Either<A, E> => Either.isEither(effect)

/**
 * Like `Effect.flatMap`, but continues at once where the effect has a result already, as those of `Effect.succeed` and
 * `Either` have. A step of a fiber costs as much as some checks of a request. Use it inside of an effect, since
 * `continuation` may run before the result does, and an exception of it is a defect of that effect.
 */
export const flatMapNow = <A, E, R, B, E2, R2>(
  effect: Effect.Effect<A, E, R>,
  continuation: (value: A) => Effect.Effect<B, E2, R2>
): Effect.Effect<B, E | E2, R | R2> => {
  if (isEither(effect)) return Either.isRight(effect) ? continuation(effect.right) : Effect.fail(effect.left)
  if (!hasExit(effect)) return Effect.flatMap(effect, continuation)
  return Exit.isSuccess(effect) ? continuation(effect.value) : Effect.failCause(effect.cause)
}

/** Like `Effect.map`, but at once where the effect has a result already; see `flatMapNow`. */
export const mapNow = <A, E, R, B>(effect: Effect.Effect<A, E, R>, f: (value: A) => B): Effect.Effect<B, E, R> =>
  flatMapNow(effect, (value) => Exit.succeed(f(value)))

/** Like `Effect.matchCauseEffect`, but at once where the effect has a result already; see `flatMapNow`. */
export const matchCauseNow = <A, E, R, B, E2, R2, C, E3, R3>(
  effect: Effect.Effect<A, E, R>,
  { onFailure, onSuccess }: {
    readonly onFailure: (cause: Cause.Cause<E>) => Effect.Effect<B, E2, R2>
    readonly onSuccess: (value: A) => Effect.Effect<C, E3, R3>
  }
): Effect.Effect<B | C, E2 | E3, R | R2 | R3> => {
  if (isEither(effect)) return Either.isRight(effect) ? onSuccess(effect.right) : onFailure(Cause.fail(effect.left))
  if (!hasExit(effect)) return Effect.matchCauseEffect(effect, { onFailure, onSuccess })
  return Exit.isSuccess(effect) ? onSuccess(effect.value) : onFailure(effect.cause)
}

/** The value that an effect has already; undefined where it has to run first. */
export const valueNow = <A, R>(effect: Effect.Effect<A, never, R>): A | undefined => {
  if (isEither(effect)) return Either.isRight(effect) ? effect.right : undefined
  return hasExit(effect) && Exit.isSuccess(effect) ? effect.value : undefined
}

/** Work, and the end that follows it whatever its exit. */
interface Bracketed<A, E, R> {
  readonly work: () => Effect.Effect<A, E, R>
  readonly end: (exit: Exit.Exit<A, E>) => void
}

/**
 * Like `Effect.acquireUseRelease` where acquisition and release are plain functions: runs `begin` and then its work, which
 * can be interrupted, and calls `end` in any case. It takes a third of the steps.
 */
export const bracketNow = <A, E, R>(begin: () => Bracketed<A, E, R>): Effect.Effect<A, E, R> =>
  Effect.uninterruptibleMask((restore) => {
    const { end, work } = begin()
    return Effect.matchCauseEffect(restore(Effect.suspend(work)), {
      onFailure: (cause) => {
        const exit = Exit.failCause(cause)
        end(exit)
        return exit
      },
      onSuccess: (value) => {
        const exit = Exit.succeed(value)
        end(exit)
        return exit
      }
    })
  })
