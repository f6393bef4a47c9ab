import { Ownership } from "@trunkline/storage-kysely"
import { Effect, Layer } from "effect"

/**
 * Ends the process at once when another one has taken over its data folder: nothing that it writes is stored any more,
 * and the other process has taken over its work.
 */
export const endsWhenLost = Layer.scopedDiscard(
  Effect.flatMap(Ownership, ({ lost }) =>
    Effect.forkScoped(Effect.map(lost, ({ message }) => {
      console.error(`Stopped: ${message}`)
      process.exit(1)
    })))
)
