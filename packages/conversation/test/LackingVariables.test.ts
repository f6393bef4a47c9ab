import { assert } from "@effect/vitest"
import { Agent, AgentCatalog } from "@trunkline/agents"
import { Conversation } from "@trunkline/conversation"
import { scriptedLeg, testCallBrief } from "@trunkline/conversation/testing"
import { virtualTest } from "@trunkline/kernel/testing"
import { ScriptedModel } from "@trunkline/scripted-model"
import { CallHandler } from "@trunkline/telephony"
import { Array, Effect, Layer, Logger } from "effect"
import { promptAgent } from "./Fixtures.js"

/** The warnings of some calls of one agent, one after the other. */
const warningsOf = (agent: object, calls: ReadonlyArray<Readonly<Record<string, string | null>>>) => {
  const warnings: Array<string> = []
  const logger = Logger.make(({ message }) => void warnings.push(Array.ensure(message).join(" ")))
  const handler = Conversation.layer.pipe(
    Layer.provide(ScriptedModel.layer([])),
    Layer.provide(AgentCatalog.layerOf([new Agent({ app_id: testCallBrief.app_id, versions: [promptAgent(agent)] })]))
  )
  return Effect.gen(function*() {
    const { handle } = yield* CallHandler
    for (const agent_variables of calls) {
      const { leg } = yield* scriptedLeg([])
      yield* handle(leg, { ...testCallBrief, agent_variables })
    }
    return warnings
  }).pipe(Effect.provide(Layer.merge(handler, Logger.replace(Logger.defaultLogger, logger))))
}

virtualTest(
  "a template variable that a call lacks is a warning, once for each variable of an agent",
  () =>
    Effect.gen(function*() {
      const agent = { first_message: "Hi {{name}} of {{town}}" }
      const warnings = yield* warningsOf(agent, [{ town: "Pune" }, { name: "Asha" }, {}, { name: null, town: "" }])
      assert.deepStrictEqual(warnings.map((warning) => /no variable "(\w+)"/.exec(warning)?.[1]), ["name", "town"])
      assert.include(warnings[0], `agent "${testCallBrief.app_id}", version 1`)
    })
)

virtualTest("a template variable that is never used in the call is none", () =>
  Effect.gen(function*() {
    const agent = { first_message: "Hi {{name}}", states: [{ name: "late", prompt: "Be kind to {{nobody}}" }] }
    assert.deepStrictEqual(yield* warningsOf(agent, [{ name: "Asha" }]), [])
  }))
