import type { Failure } from "@trunkline/errors"
import { Effect } from "effect"

/**
 * Carries a failure out of places that cannot fail with one: HttpApi turns every issue of decoding into its own error,
 * which no longer says what was wrong, and takes bodies only from effects that do not fail. The boundary unpacks it.
 */
export class Refused {
  constructor(readonly failure: Failure) {}
}

/** Ends the request with a failure. */
export const refuse = (failure: Failure): Effect.Effect<never> => Effect.die(new Refused(failure))
