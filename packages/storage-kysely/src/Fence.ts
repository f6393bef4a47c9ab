import { Data, Deferred, Effect, FiberId } from "effect"

/** Another process owns the database now, so nothing of this one is kept any more. */
export class Fenced extends Data.TaggedError("Fenced") {
  override get message() {
    return "another process has taken over this data folder, because this one had not answered for too long"
  }
}

/**
 * The right of an owner to write: `number` counts the owners of a database, and only the newest may write. It is checked
 * inside every transaction, where nobody else can become the owner.
 */
export interface Fence {
  readonly number: number
  /** Done once a newer owner has been seen. */
  readonly broken: Deferred.Deferred<Fenced>
}

/** The fence of the owner with this number. */
export const makeFence = (number: number): Fence => ({ number, broken: Deferred.unsafeMake(FiberId.none) })

/** Tells whoever waits for it that there is a newer owner. */
export const breakFence = ({ broken }: Fence): Fenced => {
  const fenced = new Fenced()
  Deferred.unsafeDone(broken, Effect.succeed(fenced))
  return fenced
}
