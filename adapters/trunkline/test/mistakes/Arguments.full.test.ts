import { assert, describe, it } from "@effect/vitest"
import { espeak, scripted, toolOutput } from "trunkline"
import { line, reminder, withTrunkline } from "../Fixtures.js"
import { problemOf, startOf, untyped } from "./Problems.js"

const unknown = (path: string, nearest: string) => `${path}: is not a known field; did you mean ${nearest}?`

describe("options of the engine that are objects of the host", () => {
  const place = () => Promise.reject(new Error("no"))
  const tool = { name: "a", description: "b", run: () => 1 }
  const cases: ReadonlyArray<readonly [options: object, message: string]> = [
    [
      { lines: [{ ...line, provider: "x", carrier: { place, ofers: place } }] },
      unknown("lines.0.carrier.ofers", "offers")
    ],
    [{ model: { generate: place, strem: place } }, unknown("model.strem", "stream")],
    [{ model: { provider: "openai", option: {} } }, unknown("model.option", "options")],
    [{ model: scripted(untyped({ x: 1 })) }, "model.x: scripted() takes no options"],
    [{ voices: [{ speak: place, langages: [] }] }, unknown("voices.0.langages", "languages")],
    [{ voices: [espeak(untyped({ pth: "/bin" }))] }, "voices.0.pth: espeak() takes no options"],
    [{ transcriber: { transcribe: place, path: "/" } }, "transcriber.path: is not a known field; known are transcribe"],
    [{ agents: [{ ...reminder, tools: [{ ...tool, runn: 1 }] }] }, unknown("agents.0.tools.0.runn", "run")],
    [
      { agents: [{ ...reminder, tools: [{ ...tool, parameters: { type: "object", propertees: {} } }] }] },
      "agents.0.tools.0.parameters: propertees is no keyword; did you mean properties?"
    ],
    [
      { lines: [{ ...line, options: { rings: 3 } }] },
      "lines.0.options.rings: is not a known field; a line of the simulator has no options"
    ],
    [
      { lines: [{ conection_id: "a", provider: "simulator", phone_numbers: [] }] },
      unknown("lines.0.conection_id", "connection_id")
    ],
    [
      {
        lines: [{
          connection_id: "a",
          provider: "sip",
          phone_numbers: [],
          options: { server: "sip:a.in", domian: "a" }
        }]
      },
      unknown("lines.0.options.domian", "domain")
    ]
  ]
  for (const [options, message] of cases) {
    it(`are refused with their path: ${message}`, async () => assert.strictEqual(await startOf(options), message))
  }

  it("may be instances of classes with fields of their own", async () => {
    class Studio {
      readonly ofers = 1
      async place(): Promise<never> {
        throw new Error("no")
      }
    }
    assert.match(await startOf({ lines: [{ ...line, provider: "studio", carrier: new Studio() }] }), /^started/)
  })
})

describe("arguments of methods", () => {
  it("set no variable to what no variable can be", () => {
    assert.throws(() => toolOutput("x", untyped({ a: {} })), "toolOutput: a: a variable is a text, a number")
    assert.deepStrictEqual(toolOutput("x", { a: 1, b: null }).set, { a: 1, b: null })
  })

  it("listen on ports only", () =>
    withTrunkline({}, async ({ listen }) => {
      for (const port of ["abc", -1, 99_999, 1.5, "8080", null]) {
        assert.match(await problemOf(listen(untyped({ port }))), /^port: Must be a whole number from 0 to 65535/)
      }
      assert.match(await problemOf(listen(untyped({ port: 0, host: 5 }))), /^host: Must be a string/)
      assert.match(await problemOf(listen(untyped({ port: 0, prefix: 5 }))), /^prefix: Must be a string/)
      assert.match(await problemOf(listen(untyped({ bodyPace: { idle: 1 } }))), /^bodyPace.idle: is not a known field/)
      assert.strictEqual(await problemOf(listen(untyped(8123))), "options: Must be an object")
    }))

  it("follow no campaign that does not exist", () =>
    withTrunkline({}, async ({ live }) => {
      const first = (campaign: unknown) => problemOf(live(untyped({ campaign }))[Symbol.asyncIterator]().next())
      assert.strictEqual(await first("camp-zz"), `No campaign with the id "camp-zz" exists in this workspace`)
      assert.strictEqual(await first(5), "campaign: Must be the id of a campaign, as a string")
    }))

  it("name an agent that does not exist, and what a time may be", () =>
    withTrunkline({}, async ({ campaigns, deployments }) => {
      const connection_configs = [{ connection_id: "line", phone_numbers: line.phone_numbers }]
      const app = { app_id: "remindr", app_version: 1, connection_configs }
      const allowed_schedule = {
        allowed_start_time: "09:00",
        allowed_end_time: "18:00",
        allowed_days: ["Monday"],
        timezone: "Asia/Kolkata"
      }
      const campaign = { name: "x", app_config: app, end_timestamp: "2099-01-01T00:00:00Z", allowed_schedule }
      const create = (start_timestamp: unknown) =>
        problemOf(campaigns.create(untyped({ ...campaign, start_timestamp })))
      assert.strictEqual(await create("2098-01-01T00:00:00Z"), `app_config.app_id: There is no agent "remindr"`)
      assert.strictEqual(
        await problemOf(deployments.create(untyped({ name: "x", ...app }))),
        `app_id: There is no agent "remindr"`
      )
      const time = "Must be a date and time by RFC 3339, such as 2026-01-31T09:30:00Z, or a Date"
      assert.strictEqual(await create(Date.now()), `start_timestamp: ${time}`)
      assert.strictEqual(await create("tomorrow"), `start_timestamp: ${time}`)
    }))

  it("of backups, retention and erasures are refused where they do not exist, before anything is deleted", () =>
    withTrunkline({}, async ({ backup, erase, retention }) => {
      const phone = "+919876543210"
      assert.match(await problemOf(erase(untyped({ phone, worksapce: "acme/other" }))), /^worksapce: .*workspace\?$/)
      assert.match(await problemOf(retention.run({ calls: 1 }, untyped({ worksapce: "acme/other" }))), /^worksapce: /)
      assert.match(await problemOf(retention.count(untyped({ cals: 1 }))), /cals/)
      assert.match(await problemOf(backup(untyped({ too: "folder" }))), /too: |to: /)
    }))

  it("are named as the caller wrote them", () =>
    withTrunkline({}, async ({ accounts, campaigns, credits, keys, simulator }) => {
      assert.strictEqual(await problemOf(keys.ensureKey(untyped("x"))), "options: Must be an object")
      assert.strictEqual(await problemOf(keys.create(untyped("x"))), "options: Must be an object")
      assert.strictEqual(await problemOf(credits.grant(untyped(undefined))), "options: This field is required")
      assert.strictEqual(await problemOf(accounts.putWorkspace(untyped("x"))), "workspace: Must be an object")
      assert.strictEqual(await problemOf(simulator.callIn(untyped("x"))), "call: Must be an object")
      assert.strictEqual(await problemOf(campaigns.create(untyped("x"))), "Must be an object")
      assert.strictEqual(await problemOf(campaigns.list(untyped("x"))), "query: Must be an object")
      assert.strictEqual(await problemOf(campaigns.get("c", untyped("y"))), "options: Must be an object")
      assert.match(
        await problemOf(campaigns.list({}, untyped({ signal: 5 }))),
        /^options.signal: Must be an AbortSignal/
      )
      assert.match(
        await problemOf(campaigns.list({}, untyped({ workspace: 5 }))),
        /^options.workspace: Must be of the form/
      )
    }))
})
