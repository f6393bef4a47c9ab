import { Recordings } from "@trunkline/analytics"
import { FileStore } from "@trunkline/cohorts"
import { type InteractionId, type Scope, scopeKey, sha256Hex } from "@trunkline/kernel"
import { Effect, Layer, Option } from "effect"

/** Two parts of which no character means anything to a file system. */
const keyOf = (scope: Scope, interaction_id: InteractionId) =>
  Effect.map(sha256Hex(`${scopeKey(scope)}/${interaction_id}`), (hash) => `rec-${hash.slice(0, 32)}/recording`)

/** Recordings as files among those of the cohorts. */
export const recordingsInFiles: Layer.Layer<Recordings, never, FileStore> = Layer.effect(
  Recordings,
  Effect.map(FileStore, (files) =>
    Recordings.of({
      keep: (scope, interaction_id, bytes) =>
        Effect.flatMap(keyOf(scope, interaction_id), (key) => files.write(key, bytes)),
      find: (scope, interaction_id) =>
        Effect.gen(function*() {
          const key = yield* keyOf(scope, interaction_id)
          const [bytes, size] = [yield* files.read(key), yield* files.size(key)]
          return Option.all({ bytes, size })
        }),
      remove: (scope, interaction_id) => Effect.flatMap(keyOf(scope, interaction_id), files.remove)
    }))
)
