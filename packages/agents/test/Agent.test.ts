import { assert, describe, it } from "@effect/vitest"
import {
  Agent,
  AgentCatalog,
  AgentVersion,
  declaredVariables,
  decodeAgent,
  definitionIssues,
  isCommitted,
  requiredOutputs,
  stateNames,
  undeclaredVariables,
  wordingIn
} from "@trunkline/agents"
import { collections } from "@trunkline/agents/testing"
import { AppId, OrgId, Scope, WorkspaceId } from "@trunkline/kernel"
import { Effect, Either, Option, Schema } from "effect"

const agentOf = (...versions: ReadonlyArray<object>) => decodeAgent({ app_id: "collections", versions })
const issuesOf = (version: object) => Either.match(agentOf(version), { onLeft: definitionIssues, onRight: () => [] })
const minimal = { app_version: 1, committed: true }

describe("decodeAgent", () => {
  it("requires only the version number and the committed flag", () => {
    const version = Schema.decodeUnknownSync(AgentVersion)(minimal)
    assert.deepStrictEqual(version.languages, ["English"])
    assert.strictEqual(version.max_duration_seconds, 600)
    assert.isNull(version.variables)
  })

  it("accepts the sample agent", () => {
    assert.deepStrictEqual(issuesOf(collections), [])
  })

  it("rejects unknown keys and lists all issues", () => {
    const issues = issuesOf({ app_version: 0, committed: "yes", promt: "Be kind", max_duration_seconds: 4000 })
    assert.strictEqual(issues.length, 4)
    assert.isTrue(issues.some((issue) => issue.startsWith("versions.0.promt: is unexpected")))
  })

  it("rejects a version with both a prompt and a script", () => {
    assert.deepStrictEqual(issuesOf({ ...collections, prompt: "Be kind" }), [
      "versions.0.script: an agent has a prompt or a script, not both"
    ])
  })

  it("rejects duplicate languages, variables, outputs and versions", () => {
    const output = { name: "date" }
    assert.strictEqual(
      issuesOf({ ...minimal, languages: ["Hindi", "Hindi"], variables: ["a", "a"], output_variables: [output, output] })
        .length,
      3
    )
    assert.isTrue(Either.isLeft(agentOf(minimal, minimal)))
  })

  it("rejects tools with the name of a built-in tool", () => {
    assert.strictEqual(issuesOf({ ...minimal, tools: [{ name: "end_call", description: "Ends it" }] }).length, 1)
  })

  it("rejects unknown targets and undeclared variables of a script", () => {
    const step = { id: "a", say: "Hello", expect: [{ set: { colour: "red" }, go: "b" }], otherwise: "c" }
    assert.strictEqual(issuesOf({ ...minimal, script: [step] }).length, 2)
    assert.strictEqual(issuesOf({ ...minimal, script: [step, { id: "a", say: "" }] }).length, 3)
    assert.deepStrictEqual(
      issuesOf({
        ...minimal,
        variables: [],
        script: [{ ...step, expect: [{ set: { colour: "red" } }], otherwise: "goodbye" }]
      }),
      [
        "versions.0.script.0.expect.0.set.colour: colour is neither a variable nor an output variable"
      ]
    )
  })

  it("reports its variables, outputs and states", () => {
    const version = Schema.decodeUnknownSync(AgentVersion)(collections)
    assert.deepStrictEqual(declaredVariables(version), ["customer_name", "amount"])
    assert.deepStrictEqual(undeclaredVariables(version, { amount: 1, colour: "red" }), ["colour"])
    assert.deepStrictEqual(requiredOutputs(version), ["promise_date"])
    assert.deepStrictEqual(stateNames(version), ["identify", "notice", "promise", "thanks", "sorry"])
    assert.isNull(stateNames(Schema.decodeUnknownSync(AgentVersion)(minimal)))
  })
})

describe("wordingIn", () => {
  const text = { English: "Yes", Hindi: "हाँ" }
  it("returns the wording of the first available language, with its name", () => {
    assert.deepStrictEqual(wordingIn(text, ["Tamil", "Hindi"]), { text: "हाँ", language_name: "Hindi" })
    assert.deepStrictEqual(wordingIn(text, ["Tamil"]), { text: "Yes", language_name: "English" })
    assert.deepStrictEqual(wordingIn("Yes", ["Tamil"]), { text: "Yes", language_name: "Tamil" })
  })
})

describe("AgentCatalog.layerOf", () => {
  const scope = new Scope({ org_id: OrgId.make("acme"), workspace_id: WorkspaceId.make("main") })
  const app_id = AppId.make("collections")
  const agent = Schema.decodeUnknownSync(Agent)({ app_id, versions: [minimal, { app_version: 2, committed: false }] })

  it.effect("finds the given agents and their versions only", () =>
    Effect.gen(function*() {
      const catalog = yield* AgentCatalog
      assert.deepStrictEqual(yield* catalog.find(scope, app_id), Option.some(agent))
      assert.isTrue(Option.isNone(yield* catalog.find(scope, AppId.make("other"))))
      assert.strictEqual(Option.getOrThrow(yield* catalog.version(scope, app_id, 2)).app_version, 2)
      assert.isTrue(Option.isNone(yield* catalog.version(scope, app_id, 3)))
      assert.deepStrictEqual([1, 2, 3].map((version) => isCommitted(agent, version)), [true, false, false])
    }).pipe(Effect.provide(AgentCatalog.layerOf([agent]))))
})
