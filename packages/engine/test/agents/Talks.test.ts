import { assert, describe, it } from "@effect/vitest"
import { Engine, type MemoryOptions } from "@trunkline/engine"
import { AppId, OrgId, Scope, WorkspaceId } from "@trunkline/kernel"
import { AccountId, KeyId, type Principal } from "@trunkline/rate-limits"
import { Effect } from "effect"
import { connections } from "../Fixtures.js"

const scope = new Scope({ org_id: OrgId.make("acme"), workspace_id: WorkspaceId.make("main") })
const caller: Principal = {
  account_id: AccountId.make("acme"),
  plan: "pro",
  key_id: KeyId.make("one"),
  label: "one",
  workspaces: "*",
  features: [],
  models: null,
  budget: null
}
const app_id = AppId.make("survey")

const agents: MemoryOptions["agents"] = [{
  app_id,
  versions: [{
    app_version: 1,
    committed: false,
    script: [
      {
        id: "ask",
        say: "Hello {{name}}. Will you come?",
        expect: [{ match: ["yes"], set: { comes: true }, go: "thank" }]
      },
      { id: "thank", say: "Thank you.", listen: false }
    ],
    goodbye_message: "Goodbye.",
    output_variables: [{ name: "comes", required: true }]
  }]
}, { app_id: AppId.make("model"), versions: [{ app_version: 1, committed: true }] }]

const engine = Engine.layerMemory({ agents, connections })

const words = (events: ReadonlyArray<{ readonly type: string; readonly text?: string }>) =>
  events.filter(({ type }) => type === "said").map(({ text }) => text)

describe("a talk by text", () => {
  it.live("greets, follows the script, tells its step and variables, and ends with an outcome", () =>
    Effect.gen(function*() {
      const { talks } = yield* Engine
      const greeted = yield* talks.say(caller, scope, { app_id, agent_variables: { name: "Asha" } })
      assert.deepStrictEqual(words(greeted.events), ["Hello Asha. Will you come?"])
      assert.deepStrictEqual([greeted.status, greeted.step], ["listening", "ask"])
      const thanked = yield* talks.say(caller, scope, { app_id, talk_id: greeted.talk_id, text: "Yes, of course" })
      assert.deepStrictEqual(words(thanked.events), ["Thank you. Goodbye."])
      assert.deepStrictEqual(thanked.output_agent_variables, { comes: true })
      assert.strictEqual(thanked.status, "ended")
      assert.isTrue(thanked.outcome?.agent_done)
    }).pipe(Effect.provide(engine)))

  it.live("ends when the person hangs up, and is no more then", () =>
    Effect.gen(function*() {
      const { talks } = yield* Engine
      const { talk_id } = yield* talks.say(caller, scope, { app_id, agent_variables: { name: "Asha" } })
      const ended = yield* talks.say(caller, scope, { app_id, talk_id, hang_up: true })
      assert.deepStrictEqual([ended.status, ended.outcome?.ended_by], ["ended", "user"])
      const gone = yield* Effect.flip(talks.say(caller, scope, { app_id, talk_id, text: "Hello?" }))
      assert.strictEqual(gone._tag, "NotFound")
    }).pipe(Effect.provide(engine)))

  it.live("needs credits where a model answers", () =>
    Effect.gen(function*() {
      const { talks } = yield* Engine
      const refused = yield* Effect.flip(talks.say(caller, scope, { app_id: AppId.make("model") }))
      assert.strictEqual(refused._tag, "InsufficientCredits")
    }).pipe(Effect.provide(engine)))

  it.live("belongs to the account that began it, of whose talks the latest ten go on", () =>
    Effect.gen(function*() {
      const { talks } = yield* Engine
      const begin = talks.say(caller, scope, { app_id })
      const { talk_id } = yield* begin
      const stranger = { ...caller, account_id: AccountId.make("other") }
      const refused = yield* Effect.flip(talks.say(stranger, scope, { app_id, talk_id, text: "Yes" }))
      assert.strictEqual(refused._tag, "NotFound")
      yield* Effect.replicateEffect(begin, 8)
      const { talk_id: latest } = yield* begin
      const unknown = yield* Effect.flip(talks.say(caller, scope, { app_id, app_version: 99 }))
      assert.strictEqual(unknown._tag, "Invalid")
      const [answer, other] = yield* Effect.all(
        ["Maybe", "Perhaps"].map((text) => Effect.either(talks.say(caller, scope, { app_id, talk_id: latest, text }))),
        { concurrency: 2 }
      )
      assert.deepStrictEqual([answer?._tag, other?._tag], ["Right", "Left"], "one answer at a time")
      const eleventh = yield* begin
      const ended = yield* Effect.flip(talks.say(caller, scope, { app_id, talk_id, text: "Yes" }))
      assert.strictEqual(ended._tag, "NotFound")
      const goesOn = yield* talks.say(caller, scope, { app_id, talk_id: eleventh.talk_id, text: "Yes" })
      assert.strictEqual(goesOn.status, "ended")
    }).pipe(Effect.provide(engine)))
})
