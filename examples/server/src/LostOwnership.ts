import { Ownership } from "@trunkline/storage-kysely"
import { Effect, Layer } from "effect"

/**
 * Ends the process at once when another one has taken over its data folder: nothing that it does is kept any more, and
 * whatever it has begun is the other's by now.
 */
export const endsWhenLost = Layer.scopedDiscard(
  Effect.flatMap(Ownership, ({ lost }) =>
    Effect.forkScoped(Effect.map(lost, ({ message }) => {
      console.error(`Stopped: ${message}`)
      process.exit(1)
    })))
)
