import { assert, describe, it } from "@effect/vitest"
import { AgentVersion } from "@trunkline/agents"
import { Either, ParseResult, Schema } from "effect"

const decode = Schema.decodeUnknownEither(AgentVersion, { errors: "all" })

const issues = (fields: object): ReadonlyArray<string> =>
  Either.match(decode({ app_version: 1, committed: true, ...fields }), {
    onLeft: (error) =>
      ParseResult.ArrayFormatter.formatErrorSync(error).map(({ message, path }) => `${path.join(".")}: ${message}`),
    onRight: () => []
  })

const desk = { name: "desk", to: "+911140000050", description: "Invoices" }

describe("targets of transfers", () => {
  it("are numbers and SIP addresses, blind and for 30 seconds by default", () => {
    const sip = { name: "pbx", to: "sip:1001@pbx.example:5080;transport=tcp", description: "Anything else" }
    const { transfers } = Schema.decodeUnknownSync(AgentVersion)({
      app_version: 1,
      committed: true,
      transfers: [desk, sip]
    })
    assert.deepStrictEqual(transfers?.map(({ kind, ring_seconds }) => [kind, ring_seconds]), [["blind", 30], [
      "blind",
      30
    ]])
    assert.deepStrictEqual(transfers?.[1]?.to, sip.to)
  })

  it("are refused with the field that is wrong, and what it may be", () => {
    for (
      const [field, value, message] of [
        ["to", "1234", /^transfers.0.to: Must be a number such as/],
        ["to", "sip:desk@pbx.example?Replaces=1", /^transfers.0.to: Must be a number such as/],
        ["extension", "12 34", /^transfers.0.extension: Must be 1 to 64 keys/],
        ["accept_key", "12", /^transfers.0.accept_key: Must be one key/],
        ["ring_seconds", 1, /^transfers.0.ring_seconds: /],
        ["description", "", /^transfers.0.description: /]
      ] as const
    ) assert.match(issues({ transfers: [{ ...desk, kind: "warm", [field]: value }] }).join(), message)
    assert.match(issues({ transfers: [desk, desk] }).join(), /desk is listed twice/)
  })

  it("are warm where they have words and a key for the person", () => {
    assert.match(issues({ transfers: [{ ...desk, accept_key: "1" }] }).join(), /accept_key: .*warm transfers only/)
    assert.match(issues({ transfers: [{ ...desk, briefing: "A caller." }] }).join(), /briefing: .*warm transfers only/)
    assert.deepStrictEqual(
      issues({ transfers: [{ ...desk, kind: "warm", accept_key: "#", briefing: "A caller." }] }),
      []
    )
  })

  it("need a model, and the names of their tools", () => {
    const script = [{ id: "a", say: "Hello" }]
    assert.match(issues({ script, transfers: [desk] }).join(), /^transfers: a script asks no model/)
    assert.match(issues({ script, send_digits: true }).join(), /^send_digits: a script asks no model/)
    const tools = [{ name: "transfer_call", description: "Ours" }]
    assert.match(issues({ tools, transfers: [desk] }).join(), /^tools: the agent has a tool transfer_call already/)
    assert.deepStrictEqual(issues({ tools }), [])
    assert.deepStrictEqual(issues({ script, send_digits: false, transfers: [] }), [])
  })
})
