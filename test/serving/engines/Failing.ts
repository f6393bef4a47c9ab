import { Layer } from "effect"

/** Engine that fails to start. */
export const engine = Layer.fail("There is no disk")
