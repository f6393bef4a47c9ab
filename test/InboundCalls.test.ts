import { assert, describe, it } from "@effect/vitest"
import { CarrierHttp } from "@trunkline/carrier-http"
import { type DoubleCall, type DoubleProvider, startDouble } from "@trunkline/carrier-http/testing"
import { Engine, type EngineOptions, type MemoryOptions, memoryParts } from "@trunkline/engine"
import { ConnectionId, OrgId, Scope, WorkspaceId } from "@trunkline/kernel"
import { ScriptedModel, userSays } from "@trunkline/scripted-model"
import { Carriers, CreateDeployment } from "@trunkline/telephony"
import { Context, Effect, Layer, Runtime, Schema, Stream } from "effect"

const scope = new Scope({ org_id: OrgId.make("acme"), workspace_id: WorkspaceId.make("main") })
const connection_id = ConnectionId.make("line-1")
const push = { method: "POST", url: "/v1/connections/line-1/events", remoteAddress: null } as const
const line = "+911140000001"
const secret = "whsec_dGhlIHByb3ZpZGVyIGFuZCB3ZSBrbm93IHRoaXM="

const optionsFor = (base_url: string): MemoryOptions & EngineOptions => ({
  agents: [{
    app_id: "library",
    versions: [{ app_version: 1, committed: true, first_message: "Hello, this is the library." }]
  }],
  connections: [{
    connection_id,
    provider: "http",
    phone_numbers: [line],
    max_channels: 1,
    options: { base_url, api_key_env: "KEY", events_secret_env: "EVENTS", dedupe: { kind: "none" } }
  }],
  model: ScriptedModel.layer([
    { when: userSays("open"), reply: "We are open until nine." },
    { when: userSays("bye"), reply: "Goodbye.", toolCall: { name: "end_call" } }
  ])
})

/** A provider that pushes its events into an engine, and the engine. */
const world = Effect.gen(function*() {
  const run = Runtime.runPromise(yield* Effect.runtime())
  const open: { engine?: typeof Engine.Service } = {}
  const provider: DoubleProvider = yield* Effect.acquireRelease(
    Effect.promise(() =>
      startDouble({
        apiKey: "key",
        pushes: {
          secret,
          to: (headers, body) =>
            open.engine === undefined
              ? Promise.resolve(false)
              : run(Effect.as(open.engine.providerEvents.receive({ ...push, connection_id, headers, body }), true))
        }
      })
    ),
    (provider) => Effect.promise(provider.close)
  )
  const options = optionsFor(provider.url)
  const carriers = Layer.unwrapScoped(
    Effect.map(CarrierHttp.make({ KEY: "key", EVENTS: secret }), (carrier) => Carriers.layerOf([carrier]))
  )
  const context = yield* Layer.build(
    Engine.layer(options).pipe(Layer.provideMerge(carriers), Layer.provideMerge(memoryParts(options)))
  )
  const engine = Context.get(context, Engine)
  open.engine = engine
  return { engine, provider }
})

const deploy = (engine: typeof Engine.Service, inbound_config: unknown = null) =>
  engine.deployments.create(
    scope,
    Schema.decodeUnknownSync(CreateDeployment)({
      name: "Desk",
      app_id: "library",
      app_version: 1,
      connection_configs: [{ connection_id, phone_numbers: [line] }],
      inbound_config
    }),
    "demo"
  )

/** A person who says something, and does not give up within a test. */
const person = (says: ReadonlyArray<string> = []) => ({ from: "+919876543210", to: line, says, ringSeconds: 10_000 })

const until = (isSo: () => boolean) =>
  Effect.sleep(2).pipe(Effect.repeat({ until: isSo }), Effect.timeout("60 seconds"), Effect.orDie)

const over = (call: DoubleCall) => Effect.as(until(call.isOver), call)

describe("a person who calls a number of a provider over HTTP", () => {
  it.scopedLive("talks with the agent that is deployed on it", () =>
    Effect.gen(function*() {
      const { engine, provider } = yield* world
      yield* deploy(engine)
      const words: Array<string> = []
      const turns = yield* engine.live.watch(scope)
      yield* Effect.forkScoped(
        Stream.runForEach(turns, (event) =>
          Effect.sync(() => event.type === "turn" && words.push(`${event.role}: ${event.text}`)))
      )
      const call = yield* over(provider.callIn(person(["When are you open?", "No, thank you. Bye."])))
      yield* engine.drain
      assert.deepStrictEqual(words, [
        "agent: Hello, this is the library.",
        "user: When are you open?",
        "agent: We are open until nine.",
        "user: No, thank you. Bye.",
        "agent: Goodbye."
      ])
      assert.deepInclude(call.json(), { state: "over", result: { status: "connected", reason: null } })
    }))

  it.scopedLive("is rejected with a reason without a deployment, while it is paused, and outside of its schedule", () =>
    Effect.gen(function*() {
      const { engine, provider } = yield* world
      const rejection = Effect.suspend(() => Effect.map(over(provider.callIn(person())), (call) => call.rejection()))
      assert.strictEqual(yield* rejection, "no_deployment")
      const { deployment_id } = yield* deploy(engine)
      yield* engine.deployments.act(scope, deployment_id, "pause", "demo")
      assert.strictEqual(yield* rejection, "deployment_paused")
      yield* engine.deployments.remove(scope, deployment_id)
      const inThreeDays = new Date(Date.now() + 3 * 86_400_000).toLocaleDateString("en", { weekday: "long" })
      yield* deploy(engine, { start_time: "09:00", end_time: "18:00", allowed_days: [inThreeDays] })
      assert.strictEqual(yield* rejection, "outside_schedule")
    }))

  it.scopedLive("is rejected while all channels of the line are taken", () =>
    Effect.gen(function*() {
      const { engine, provider } = yield* world
      yield* deploy(engine)
      const first = provider.callIn(person())
      yield* until(() => first.json()["state"] === "talking")
      const second = yield* over(provider.callIn(person()))
      assert.strictEqual(second.rejection(), "no_capacity")
      first.leave()
    }))

  it.scopedLive("who hangs up while it rings is not talked to, and the line is free again", () =>
    Effect.gen(function*() {
      const { engine, provider } = yield* world
      yield* deploy(engine)
      provider.injectFault("answer", { kind: "late", when: "before", millis: 500 })
      const first = provider.callIn(person())
      yield* until(() => provider.requests.some(({ path }) => path.endsWith("/answer")))
      first.leave()
      yield* Effect.repeat(Effect.delay(engine.health, 5), { until: ({ calls }) => calls === 0 })
      assert.deepStrictEqual(
        provider.journal.entries.filter(({ call_id }) => call_id === first.call_id).map(({ what }) => what),
        ["over"]
      )
      const second = yield* over(provider.callIn(person(["Bye."])))
      assert.isNull(second.rejection())
      assert.deepInclude(second.json(), { result: { status: "connected", reason: null } })
    }))
})
