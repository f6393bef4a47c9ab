import { Layer } from "effect"

/** An engine that does not start. */
export const engine = Layer.fail("There is no disk")
