import { assert, describe, it } from "@effect/vitest"
import { AgentVersion, knowledgeHandlers, type ToolCall } from "@trunkline/agents"
import { AppId, AttemptId, OrgId, PhoneNumber, Scope, WorkspaceId } from "@trunkline/kernel"
import { Effect, Schema } from "effect"

const call: ToolCall = {
  attempt_id: AttemptId.make("00000000-0000-7000-8000-000000000000"),
  scope: new Scope({ org_id: OrgId.make("acme"), workspace_id: WorkspaceId.make("main") }),
  app_id: AppId.make("desk"),
  app_version: 1,
  direction: "inbound",
  user_phone_number: PhoneNumber.make("+919800000001"),
  agent_phone_number: PhoneNumber.make("+911140000001"),
  variables: {},
  language_name: "English",
  digits: {}
}

const version = Schema.decodeUnknownSync(AgentVersion)({ app_version: 1, committed: true, knowledge: ["main"] })

describe("arguments of search_knowledge that do not fit", () => {
  it.effect("are told to the model in a line, as arguments", () =>
    Effect.gen(function*() {
      const { search_knowledge: handler = assert.fail("no tool") } = knowledgeHandlers(version, {
        search: () => Effect.succeed([])
      })
      const { kind, message } = yield* Effect.flip(handler({ question: "" }, call))
      assert.strictEqual(kind, "arguments")
      assert.match(message, /^The arguments are wrong: question: [^\n]+$/)
    }))
})
