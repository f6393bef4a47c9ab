import { Engine } from "@trunkline/engine"
import { testEngine, testInteraction } from "@trunkline/http-api/testing"
import { Console, DateTime, Effect, Layer, Stream } from "effect"

/** Number of live events in `acme/side`, of 100 kB each: far more than a connection buffers. */
export const flood = 500

const text = "x".repeat(100_000)

/** Events that are numbered by their time. */
const floodEvents = ({ ids }: typeof Engine.Service) =>
  Stream.range(1, flood).pipe(
    Stream.rechunk(1),
    Stream.tap((count) => Console.log(`told ${count}`)),
    Stream.mapEffect((count) =>
      Effect.map(ids.attemptId, (attempt_id) => ({
        type: "turn" as const,
        at: DateTime.unsafeMake(count),
        attempt_id,
        campaign_id: null,
        interaction_id: testInteraction,
        role: "agent" as const,
        text,
        en_text: null,
        language_name: null
      }))
    )
  )

/**
 * The test engine, in which a search of deployments for `never` does not end, one for `slow` takes a while, and whoever
 * watches `acme/side` is flooded. It writes what happens.
 */
export const engine = Layer.effect(
  Engine,
  Effect.map(Engine, (engine) => {
    const list: typeof engine.deployments.list = (scope, page) => {
      const found = engine.deployments.list(scope, page)
      const searching = page.search === "never"
        ? Effect.onInterrupt(Effect.never, () => Console.log("interrupted"))
        : page.search === "slow"
        ? Effect.delay(found, "200 millis")
        : found
      return Effect.zipRight(Console.log(`begun ${page.search}`), searching)
    }
    const watch: typeof engine.live.watch = (scope) =>
      scope.workspace_id === "side" ? Effect.succeed(floodEvents(engine)) : engine.live.watch(scope)
    return { ...engine, deployments: { ...engine.deployments, list }, live: { ...engine.live, watch } }
  })
).pipe(
  Layer.provide(testEngine),
  Layer.merge(Layer.scopedDiscard(Effect.addFinalizer(() => Console.log("stopped"))))
)
