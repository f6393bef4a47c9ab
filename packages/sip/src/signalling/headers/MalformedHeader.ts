import { Data, Either } from "effect"

/** A value of a header field, or a URI, that breaks its grammar. */
export class MalformedHeader extends Data.TaggedError("MalformedHeader")<{
  /** The fault, fit for the reason phrase of a response. It quotes nothing of the value. */
  readonly message: string
}> {}

/** Fails with a `MalformedHeader`. */
export const malformed = (message: string): Either.Either<never, MalformedHeader> =>
  Either.left(new MalformedHeader({ message }))
