import * as client from "@trunkline/client"
import * as effectClient from "@trunkline/client/effect"
import * as kernel from "@trunkline/kernel"
import * as telephony from "@trunkline/telephony"
import * as effect from "effect"
import * as assertions from "node:assert/strict"
import { execFile, spawnSync } from "node:child_process"
import { once } from "node:events"
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import * as http from "node:http"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { promisify } from "node:util"
import * as trunklineModule from "trunkline"
import * as testing from "trunkline/testing"
import ts from "typescript"
import { afterEach, assert, describe, it } from "vitest"
import * as zod from "zod"
import { blocksOf } from "./Blocks.js"

const root = fileURLToPath(new URL("../../", import.meta.url))
const hasCurl = spawnSync("curl", ["--version"]).error === undefined

const page = (name: string) => readFileSync(join(root, "docs", name), "utf8")
const blocks = (name: string, ...numbers: ReadonlyArray<number>) =>
  blocksOf(name, page(name)).filter(({ number }) => numbers.includes(number)).map(({ text }) => text).join("\n")

/** First block of another language. */
const otherBlock = (name: string, language: string, word = "") =>
  Array.from(page(name).matchAll(new RegExp(`^\`\`\`${language}\n([^]*?)^\`\`\``, "gm")), ([, text = ""]) => text)
    .find((text) => text.includes(word)) ?? ""

const people = otherBlock("first-campaign.md", "csv")

type Trunkline = trunklineModule.Trunkline

const started: Array<Trunkline> = []
afterEach(async () => {
  await Promise.all(started.splice(0).map(({ close }) => close()))
})

/** Starts an engine as a page says, but in memory and in simulated time. */
const createTrunkline = async (options: trunklineModule.TrunklineOptions): Promise<Trunkline> => {
  const trunkline = await trunklineModule.createTrunkline({
    ...options,
    data: ":memory:",
    simulator: { ...options.simulator, speed: 1000 }
  })
  started.push(trunkline)
  return trunkline
}

/** Server of the pages about the client. */
let served = ""

/** Options of a client that a page makes, whose server listens here. */
const there = (options: client.ClientOptions): client.ClientOptions => ({ ...options, baseUrl: served })

/** Modules that blocks import. */
const modules: Readonly<Record<string, object>> = {
  "trunkline": { ...trunklineModule, createTrunkline },
  "trunkline/testing": testing,
  "node:test": { test: (_name: string, body: () => Promise<void>) => body() },
  "@trunkline/client": {
    ...client,
    createClient: (options: client.ClientOptions) => client.createClient(there(options))
  },
  "@trunkline/client/effect": {
    ...effectClient,
    makeClient: (options: client.ClientOptions) => effectClient.makeClient(there(options))
  },
  effect,
  zod,
  "@trunkline/kernel": kernel,
  "@trunkline/telephony": telephony,
  "node:assert/strict": assertions,
  "node:http": http,
  "node:fs/promises": { readFile: async () => people }
}

type Body = (require: (name: string) => object, exports: object, trunkline: Trunkline | undefined) => Promise<unknown>

/** Runs blocks as one program, and resolves with the value of an expression at its end. */
const run = async (text: string, result: string, trunkline?: Trunkline): Promise<unknown> => {
  const { outputText } = ts.transpileModule(text, {
    compilerOptions: { module: ts.ModuleKind.CommonJS, target: ts.ScriptTarget.ES2022 }
  })
  const make = Reflect.get(Object.getPrototypeOf(async () => undefined), "constructor")
  const given = trunkline === undefined ? "_" : "trunkline"
  const body: Body = Reflect.construct(make, ["require", "exports", given, `${outputText}\nreturn ${result}`])
  return body((name) => modules[name] ?? assert.fail(`${name} is not given`), {}, trunkline)
}

const triedConfig = {
  app_id: "collections",
  app_version: 1,
  connection_configs: [{ connection_id: "sim-1", phone_numbers: ["+911140000001"] }]
}
const tried = {
  name: "December reminders",
  start_timestamp: "2026-11-01T03:30:00Z",
  end_timestamp: "2036-12-31T12:30:00Z",
  allowed_schedule: { allowed_start_time: "00:00", allowed_end_time: "24:00", allowed_days: ["Monday"] }
}

const line = { connection_id: "line", provider: "simulator", phone_numbers: ["+911140000001"] }

describe("the programs of the documentation", () => {
  it("make a first call", async () => {
    assert.strictEqual(await run(blocks("getting-started.md", 1), "completion_status"), "completed")
  })

  it("try a version of an agent on some contacts of a campaign", async () => {
    const versions = [
      { app_version: 1, committed: true },
      { app_version: 2, committed: true, output_variables: [{ name: "promise_date" }] }
    ] as const
    const lines = [{ ...line, connection_id: "sim-1" }]
    const trunkline = await createTrunkline({ data: "", agents: [{ app_id: "collections", versions }], lines })
    const given = `const campaign = ${JSON.stringify({ ...tried, app_config: triedConfig })}`
    const id = await run(`${given}\n${blocks("campaigns.md", 3)}`, "campaign_id", trunkline)
    await trunkline.canaries.updateStatus(`${id}`, { action: "stop" })
    const began = `const campaign_id = ${JSON.stringify(id)}`
    assert.strictEqual(await run(`${began}\n${blocks("campaigns.md", 4)}`, "ended.status", trunkline), "promoted")
    assert.strictEqual((await trunkline.campaigns.get(`${id}`)).app_version, 2)
  })

  it("tell the health of an engine, delete old data, erase a person, and drain", async () => {
    assert.strictEqual(await run(blocks("operations.md", 2), "names.length"), 4)
    const trunkline = await createTrunkline({ data: "" })
    assert.strictEqual(await run(blocks("operations.md", 5), "Object.keys(deleted).length", trunkline), 2)
    assert.strictEqual(await run(blocks("operations.md", 6), "isDone", trunkline), true)
    assert.strictEqual(await run(blocks("operations.md", 4), "calls", trunkline), 0)
    assert.strictEqual(await run(blocks("operations.md", 7), "typeof trunkline.close"), "function")
  })

  it("serve the metrics of an engine", async () => {
    const trunkline = await createTrunkline({ data: "" })
    const server = await run(blocks("operations.md", 3), "metrics.listen(0, '127.0.0.1')", trunkline)
    if (!(server instanceof http.Server)) assert.fail("the page makes no server")
    await once(server, "listening")
    const address = server.address()
    const port = typeof address === "object" && address !== null ? address.port : 0
    const response = await fetch(`http://127.0.0.1:${port}`)
    assert.strictEqual(response.headers.get("content-type"), "text/plain; version=0.0.4; charset=utf-8")
    assert.include(await response.text(), "\ntrunkline_processes 1\n")
    server.close()
  })

  it("leave a message on a machine, and tell that a silent line is no person", async () => {
    assert.strictEqual(await run(blocks("voicemail.md", 1), "answer.action"), "message_left")
    assert.strictEqual(await run(blocks("voicemail.md", 2), "answered"), "silence")
  })

  it("test the calls of an agent", async () => {
    assert.strictEqual(await run(blocks("testing-agents.md", 1, 2), "call.endedBy"), "user")
    assert.strictEqual(await run(blocks("testing-agents.md", 1, 3), "turns.at(-1).text"), "Table 4 is free.")
    assert.isAbove(Number(await run(blocks("testing-agents.md", 1, 4), "audible.turns.length")), 4)
    assert.strictEqual(await run(blocks("testing-agents.md", 1, 5), "share"), 1)
    const moments = "moments.map((moment) => moment.slice(0, 32))"
    assert.deepStrictEqual(await run(blocks("testing-agents.md", 1, 6), moments), [
      "+919800000001 1 2026-11-30T12:30",
      "+919800000002 1 2026-11-30T12:30",
      "+919800000002 2 2026-11-30T12:50"
    ])
    assert.match(String(await run(blocks("testing-agents.md", 1, 7), "line")), /agrees with 100 of 200/)
    const suite = "Object.keys(exports.suite.tests)"
    assert.deepStrictEqual(await run(blocks("testing-agents.md", 1, 8), suite), ["finds a table"])
    const powers = "versions.map(({ passPowers }) => passPowers)"
    assert.deepStrictEqual(await run(blocks("testing-agents.md", 1, 9), powers), [[1, 1], [1, 1]])
  })

  it("test a tool with a model of their own", async () => {
    assert.strictEqual(await run(blocks("testing.md", 3, 4), "used.length"), 1)
  })

  it("keep the trace of a call, and replay it through a changed agent", async () => {
    const text = blocks("replay.md", 1, 2, 3)
    assert.strictEqual(await run(text, "`${replay.status} ${summary.same}`"), "changed 1")
  })

  it("let a simulated person call in, with promises and with effects", async () => {
    const trunkline = await createTrunkline({
      data: "",
      agents: [{ app_id: "desk", first_message: "Good evening" }],
      lines: [line]
    })
    assert.strictEqual(await run(blocks("testing.md", 6), "call.refused", trunkline), null)
    const said = await run(blocks("conversation.md", 4), "transcript[0].en_text", trunkline)
    assert.strictEqual(said, "Good evening")
    assert.isTrue(await run(blocks("testing.md", 7), "accepted", trunkline))
  })

  it("test a tool whose arguments have a schema", async () => {
    const text = blocks("calls.md", 1).replace(`data: "./data",`, `data: "./data", lines: [${JSON.stringify(line)}],`)
    assert.strictEqual(await run(text, "balance.name"), "balance")
  })

  it("make an agent of a workspace, change it, commit it and compare it", async () => {
    assert.strictEqual(
      await run(blocks("agents.md", 8), "text"),
      "first_message (changed)\n- Good evening.\n+ Good evening, the restaurant."
    )
  })

  it("keep accounts, keys and credits", async () => {
    const trunkline = await createTrunkline({ data: "", lines: [line] })
    process.env["ACME_KEY"] = "sk_test_acme_aSecretOfTheTestSuite"
    await run(blocks("limits.md", 1), "undefined", trunkline)
    delete process.env["ACME_KEY"]
    assert.deepStrictEqual((await trunkline.keys.list({ account: "acme" })).map(({ key_id }) => key_id), ["acme"])
  })

  it("run a campaign, a chat and a call over the client, and read a failure", async () => {
    const trunkline = await createTrunkline({
      data: "",
      agents: [{ app_id: "reminder", first_message: "Hello {{name}}" }],
      lines: [line]
    })
    served = (await trunkline.listen({ port: 0 })).url
    process.env["TRUNKLINE_KEY"] = (await trunkline.keys.create()).key
    assert.deepStrictEqual(await run(blocks("client.md", 1), "ended"), ["connected", "connected"])
    assert.isAbove(String(await run(blocks("client.md", 2), "answer")).length, 0)
    assert.strictEqual(await run(blocks("client.md", 3), "completion_status"), "completed")
    assert.deepStrictEqual(await run(blocks("client.md", 4), "failure.issues[0].loc"), ["phone_numbers", 0])
    assert.deepStrictEqual(await run(blocks("client.md", 5), "Array.from(names)"), ["December bills"])
    delete process.env["TRUNKLINE_KEY"]
  })

  it("create a campaign over a list, and look at it", async () => {
    const id = await run(blocks("first-campaign.md", 1, 2), "campaign_id")
    const [trunkline] = started
    const cohorts = await trunkline?.cohorts.listOfCampaign(String(id))
    assert.deepStrictEqual(cohorts?.items.map(({ name }) => name), ["People"])
  })
})

describe.skipIf(!hasCurl)("the examples for curl of the first pages (skipped where there is none)", () => {
  const folder = mkdtempSync(join(tmpdir(), "trunkline-docs-"))
  afterEach(() => rmSync(folder, { recursive: true, force: true }))

  it("all succeed", async () => {
    const trunkline = await createTrunkline({
      data: "",
      agents: [{ app_id: "reminder", first_message: "Hello {{name}}" }, { app_id: "desk" }],
      lines: [line]
    })
    const { url } = await trunkline.listen({ port: 0 })
    const { key } = await trunkline.keys.create()
    writeFileSync(join(folder, "people.csv"), people)
    const text = [otherBlock("first-campaign.md", "sh", "curl"), otherBlock("deployments.md", "sh", "curl")].join("\n")
    assert.isAbove(text.match(/curl /g)?.length ?? 0, 5)
    const watchful = `curl() { command curl --silent --show-error --fail-with-body "$@" || echo "refused: $*" >&2; }`
    const { stderr } = await promisify(execFile)("bash", ["-c", `${watchful}\n${text}`], {
      cwd: folder,
      env: { ...process.env, W: `${url}/v1/orgs/main/workspaces/main`, KEY: key }
    })
    assert.strictEqual(stderr, "")
    const campaigns = await trunkline.campaigns.list()
    assert.deepStrictEqual(campaigns.items.map(({ name }) => name), ["December bills"])
    assert.strictEqual((await trunkline.deployments.list()).total, 1)
  })
})
