import { assert, describe, expectTypeOf, it } from "@effect/vitest"
import { defineAgent, type ToolCall, ToolFailed } from "@trunkline/agents"
import { AppId, AttemptId, OrgId, PhoneNumber, Scope, WorkspaceId } from "@trunkline/kernel"
import { Effect, Either, Schema } from "effect"

const defined = defineAgent({
  app_id: "collections",
  app_version: 1,
  committed: true,
  variables: ["customer_name", "amount"],
  output_variables: [{ name: "promise_date", required: true }],
  tools: (tool) => ({
    add_days: tool({
      description: "The date in so many days",
      parameters: Schema.Struct({ days: Schema.NumberFromString }),
      handle: ({ days }, call) => {
        expectTypeOf(days).toEqualTypeOf<number>()
        expectTypeOf<keyof typeof call.variables>().toEqualTypeOf<"customer_name" | "amount">()
        return Effect.succeed({
          content: { days: days + 1, amount: call.variables.amount },
          set: { promise_date: "soon" }
        })
      }
    })
  })
})

describe("defineAgent", () => {
  it("returns the agent with the parameters of its tools as JSON Schema", () => {
    const { agent } = Either.getOrThrow(defined)
    const tool = agent.versions[0].tools[0]
    assert.strictEqual(tool?.name, "add_days")
    assert.deepStrictEqual(tool?.parameters["required"], ["days"])
  })

  it.effect("returns handlers that decode their arguments", () =>
    Effect.gen(function*() {
      const handler = Either.getOrThrow(defined).handlers["add_days"] ?? assert.fail("the handler exists")
      const call: ToolCall = {
        attempt_id: AttemptId.make("01890a5d-ac96-774b-bcce-b302099a8057"),
        scope: new Scope({ org_id: OrgId.make("acme"), workspace_id: WorkspaceId.make("main") }),
        app_id: AppId.make("collections"),
        app_version: 1,
        direction: "outbound",
        user_phone_number: PhoneNumber.make("+919876543210"),
        agent_phone_number: PhoneNumber.make("+911140000001"),
        variables: { amount: 5 },
        language_name: "English",
        digits: {}
      }
      assert.deepStrictEqual(yield* handler({ days: "2" }, call), {
        content: { days: 3, amount: 5 },
        set: { promise_date: "soon" }
      })
      assert.instanceOf(yield* Effect.flip(handler({ days: true }, call)), ToolFailed)
    }))

  it("returns all issues of an invalid definition instead of throwing", () => {
    const invalid = defineAgent({
      app_id: "a/b",
      app_version: 0,
      committed: true,
      tools: (tool) => ({
        odd: tool({
          description: "Takes what JSON cannot say",
          parameters: Schema.Struct({ id: Schema.SymbolFromSelf }),
          handle: () => Effect.succeed({ content: "" })
        })
      })
    })
    assert.strictEqual(Either.match(invalid, { onLeft: ({ issues }) => issues.length, onRight: () => 0 }), 3)
  })
})
