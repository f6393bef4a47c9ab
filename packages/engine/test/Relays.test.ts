import { assert, describe, it } from "@effect/vitest"
import type { Role } from "@trunkline/engine"
import { Bus, makeMemoryBus, OrgId, Scope, WorkspaceId } from "@trunkline/kernel"
import { Scheduler } from "@trunkline/notifications"
import { FactsLog, Projector } from "@trunkline/warehouse"
import { WebhookDelivery } from "@trunkline/webhooks"
import { Context, Effect, Layer } from "effect"
import { relayedDelivery, relayedProjector, relayedScheduler } from "../src/wiring/Relays.js"

const scope = new Scope({ org_id: OrgId.make("acme"), workspace_id: WorkspaceId.make("main") })
const elsewhere = new Scope({ org_id: OrgId.make("acme"), workspace_id: WorkspaceId.make("other") })

/** Processes on one bus, which note what each of them is told to do. */
const processes = Effect.map(makeMemoryBus, (join) => {
  const texts: Array<string> = []
  const add = (name: string, roles: ReadonlyArray<Role>) => {
    const note = (what: string) => Effect.sync(() => void texts.push(`${name}: ${what}`))
    const services = Layer.mergeAll(
      Layer.effect(Bus, join),
      FactsLog.layerMemory,
      Layer.succeed(
        WebhookDelivery,
        WebhookDelivery.of({ run: Effect.never, nudge: note("webhooks"), drain: Effect.void })
      ),
      Layer.succeed(Scheduler, Scheduler.of({ run: Effect.never, nudge: note("rules") })),
      Layer.succeed(
        Projector,
        Projector.of({
          run: Effect.never,
          nudge: ({ workspace_id }) => note(`facts of ${workspace_id}`),
          catchUp: () => note("all facts"),
          rebuild: () => note("rebuild")
        })
      )
    )
    return Layer.build(
      Layer.mergeAll(relayedDelivery(roles), relayedScheduler(roles), relayedProjector(roles)).pipe(
        Layer.provide(services)
      )
    )
  }
  /** Work told of since the last time, when everybody has heard of it. */
  const heard = Effect.map(Effect.yieldNow().pipe(Effect.repeatN(20)), () => texts.splice(0).sort())
  return { add, heard }
})

const nudge = (services: Context.Context<WebhookDelivery | Scheduler>) =>
  Effect.zipRight(Context.get(services, WebhookDelivery).nudge, Context.get(services, Scheduler).nudge)

describe("work that a process finds", () => {
  it.scoped("is done by those with its role when the process has not got it", () =>
    Effect.gen(function*() {
      const { add, heard } = yield* processes
      const api = yield* add("api", ["api"])
      yield* add("webhooks", ["webhooks"])
      yield* add("boards", ["boards"])
      yield* nudge(api)
      assert.deepStrictEqual(yield* heard, ["boards: rules", "webhooks: webhooks"])
    }))

  it.scoped("is left alone by others when the process does it itself", () =>
    Effect.gen(function*() {
      const { add, heard } = yield* processes
      const both = yield* add("both", ["webhooks", "boards"])
      yield* add("others", ["webhooks", "boards"])
      yield* nudge(both)
      assert.deepStrictEqual(yield* heard, ["both: rules", "both: webhooks"])
    }))

  it.scoped("is moved to the boards of every process that has some, where these are facts", () =>
    Effect.gen(function*() {
      const { add, heard } = yield* processes
      const dial = Context.get(yield* add("dial", ["dial"]), Projector)
      const one = Context.get(yield* add("one", ["boards"]), Projector)
      yield* add("other", ["api", "boards"])
      yield* dial.nudge(scope)
      assert.deepStrictEqual(yield* heard, ["one: facts of main", "other: facts of main"])
      yield* one.nudge(elsewhere)
      assert.deepStrictEqual(yield* heard, ["one: facts of other", "other: facts of other"])
      yield* Effect.zipRight(dial.catchUp(scope), dial.rebuild(scope))
      assert.deepStrictEqual(yield* heard, [])
      yield* one.catchUp(scope)
      assert.deepStrictEqual(yield* heard, ["one: all facts"])
    }))
})
