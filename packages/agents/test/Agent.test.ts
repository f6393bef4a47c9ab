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
    assert.isTrue(issues.some((issue) => issue === "versions.0.promt: is not a known field; did you mean prompt?"))
  })

  it("rejects a version with both a prompt and a script", () => {
    assert.deepStrictEqual(issuesOf({ ...collections, prompt: "Be kind" }), [
      "versions.0.script: an agent has a prompt or a script, not both"
    ])
  })

  it("rejects a script with what only a model uses", () => {
    const advice = "a script asks no model, which alone uses it: give a prompt, or leave it out"
    assert.deepStrictEqual(issuesOf({ ...collections, knowledge: ["handbook"], mcp_servers: ["desk"] }), [
      `versions.0.knowledge: ${advice}`,
      `versions.0.mcp_servers: ${advice}`
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

describe("mistakes that would only be noticed in a call", () => {
  const issues = (more: object) => issuesOf({ ...minimal, ...more }).map((issue) => issue.replace("versions.0.", ""))
  const unclosed = `"{{name" is not closed: write a variable as {{name}}`

  it("are refused in every template", () => {
    const broken = "Hi {{name"
    const templates: ReadonlyArray<readonly [path: string, version: object]> = [
      ["prompt", { prompt: broken }],
      ["first_message", { first_message: broken }],
      ["first_message.Hindi", { first_message: { English: "Hi", Hindi: broken } }],
      ["goodbye_message", { goodbye_message: broken }],
      ["silence_prompt", { silence_prompt: broken }],
      ["states.0.prompt", { states: [{ name: "late", prompt: broken }] }],
      ["script.0.say", { script: [{ id: "a", say: broken }] }]
    ]
    for (const [path, version] of templates) assert.deepStrictEqual(issues(version), [`${path}: ${unclosed}`], path)
    assert.lengthOf(issues({ prompt: "{{a}} {{ b} {{c}}" }), 1)
  })

  it("are not seen in templates that merely have braces", () => {
    assert.deepStrictEqual(issues({ prompt: `Answer as {"a": {"b": "{{name}}"}}, { not } as a }} list.` }), [])
  })

  it("are refused in languages, which may be names or codes", () => {
    const { languages } = Schema.decodeUnknownSync(AgentVersion)({ ...minimal, languages: ["hi-IN", "english", "ta"] })
    assert.deepStrictEqual(languages, ["Hindi", "English", "Tamil"])
    assert.match(
      issues({ languages: ["Klingon"] }).join(),
      /^languages.0: Must be a language .* such as Hindi or hi-IN/
    )
    assert.lengthOf(issues({ languages: ["Hindi", "hi-IN"] }), 1)
  })

  it("are refused in texts by language", () => {
    const { first_message } = Schema.decodeUnknownSync(AgentVersion)({
      ...minimal,
      first_message: { "hi-IN": "नमस्ते", English: "Hello" }
    })
    assert.deepStrictEqual(first_message, { Hindi: "नमस्ते", English: "Hello" })
    assert.match(issues({ first_message: { Klingon: "nuqneH" } }).join(), /^first_message.Klingon: Must be a language/)
    assert.match(
      issues({ first_message: { Hindi: "a", "hi-IN": "b" } }).join(),
      /^first_message.hi-IN: Hindi is listed/
    )
  })

  it("are refused in the parameters of tools, which are a JSON Schema of an object", () => {
    const withParameters = (parameters: unknown) => issues({ tools: [{ name: "t", description: "T", parameters }] })
    for (
      const right of [
        {},
        { type: "object" },
        { properties: { city: { type: "string" } } },
        { $schema: "https://json-schema.org/draft/2020-12/schema", type: "object", properties: {} }
      ]
    ) assert.deepStrictEqual(withParameters(right), [], JSON.stringify(right))
    for (
      const wrong of [
        { city: "string" },
        { type: "string" },
        { type: "objekt" },
        { type: "object", properties: ["city"] },
        { type: "object", required: "city" },
        { type: "object", parse: () => "" }
      ]
    ) {
      assert.match(withParameters(wrong).join(), /^tools.0.parameters: .*JSON Schema/, JSON.stringify(wrong))
    }
  })
})
