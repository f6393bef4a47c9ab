import { assert, describe, it } from "@effect/vitest"
import { actionToolsOf, Agent, AgentVersion, decodeAgent, definitionIssues, handOverIssues } from "@trunkline/agents"
import { AppId } from "@trunkline/kernel"
import { Either, Schema } from "effect"

const minimal = { app_version: 1, committed: true }
const decode = Schema.decodeUnknownSync(AgentVersion)

const issuesOf = (version: object) =>
  Either.match(decodeAgent({ app_id: "desk", versions: [{ ...minimal, ...version }] }), {
    onLeft: definitionIssues,
    onRight: () => []
  })

const agentOf = (app_id: string, ...versions: ReadonlyArray<object>) => {
  const [first, ...others] = versions.map((version) => decode({ ...minimal, ...version }))
  return new Agent({ app_id: AppId.make(app_id), versions: [first ?? decode(minimal), ...others] })
}

const handOver = (changes: object = {}) => ({ hand_overs: [{ app_id: "billing", when: "They pay", ...changes }] })

describe("what an agent does in a call", () => {
  it("is switched on by its fields", () => {
    assert.deepStrictEqual(actionToolsOf(decode(minimal)), [])
    const entry = { name: "pin", description: "The PIN" }
    assert.deepStrictEqual(actionToolsOf(decode({ ...minimal, ...handOver(), digit_entries: [entry], hold: {} })), [
      "hand_over",
      "collect_digits",
      "hold_caller"
    ])
    assert.deepStrictEqual(actionToolsOf(decode({ ...minimal, hand_overs: [], digit_entries: [] })), [])
  })

  it("needs a model, and names of tools that are free", () => {
    const advice = "a script asks no model, which alone uses it: give a prompt, or leave it out"
    assert.deepStrictEqual(issuesOf({ script: [{ id: "a", say: "A" }], ...handOver(), hold: {} }), [
      `versions.0.hand_overs: ${advice}`,
      `versions.0.hold: ${advice}`
    ])
    const tools = [{ name: "hold_caller", description: "Mine" }]
    assert.deepStrictEqual(issuesOf({ tools }), [])
    assert.deepStrictEqual(issuesOf({ tools, hold: {} }), [
      "versions.0.tools.0.name: an agent has a tool hold_caller already: rename yours"
    ])
  })

  it("is rejected with its place where its values make no sense", () => {
    const entry = { name: "pin", description: "The PIN" }
    assert.deepStrictEqual(issuesOf({ digit_entries: [{ ...entry, min: 6, max: 4 }] }), [
      "versions.0.digit_entries.0.min: is more than max, which is 4"
    ])
    assert.deepStrictEqual(issuesOf({ digit_entries: [entry, entry] }), [
      "versions.0.digit_entries.1.name: pin is listed twice"
    ])
    assert.deepStrictEqual(issuesOf(handOver({ last_turns: 4 })), [
      "versions.0.hand_overs.0.last_turns: needs history: \"last_turns\""
    ])
    const http = { url: "https://pay.example/{{digits.card}}" }
    assert.deepStrictEqual(
      issuesOf({ digit_entries: [entry], tools: [{ name: "pay", description: "Pays", http }] }),
      ["versions.0.tools.0.http: {{digits.card}}: there is no entry card in digit_entries"]
    )
  })
})

describe("hand-overs between agents", () => {
  const issues = (changes: object, billing: ReadonlyArray<object> = [{}]) =>
    handOverIssues([agentOf("desk", handOver(changes)), agentOf("billing", ...billing)])
      .map(({ message, path }) => `${path.join(".")}: ${message}`)

  it("are fine to a committed version, and to a version and a state that exist", () => {
    assert.deepStrictEqual(issues({}), [])
    const states = [{ name: "late" }]
    assert.deepStrictEqual(issues({ app_version: 2, initial_state_name: "late" }, [{}, { app_version: 2, states }]), [])
  })

  it("to what does not exist are told with their place", () => {
    const place = "0.versions.0.hand_overs.0"
    assert.deepStrictEqual(issues({ app_id: "sales" }), [`${place}.app_id: There is no agent sales`])
    assert.deepStrictEqual(issues({}, [{ committed: false }]), [
      `${place}.app_id: The agent billing has no committed version: commit one, or name a version`
    ])
    assert.deepStrictEqual(issues({ initial_state_name: "lat" }, [{ states: [{ name: "late" }] }]), [
      `${place}.initial_state_name: The agent billing has no state lat: it has late`
    ])
  })
})
