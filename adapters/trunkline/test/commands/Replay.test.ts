import { appendFileSync, existsSync, readFileSync, renameSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { createTrunkline, type SingleAgentOptions, type Trunkline } from "trunkline"
import { afterAll, assert, beforeAll, describe, it } from "vitest"
// Loaded here, since that takes longer than a test may.
import "../../src/commands/ReplayCommand.js"
import "../../src/commands/TestFromCommand.js"
import { commandsIn, temporaryFolder } from "./Commands.js"

const folder = temporaryFolder()
const run = commandsIn(folder.path)
const beside = ["--data", "data", "--config", "trunkline.config.json"]

const script = (greeting: string): SingleAgentOptions => ({
  app_id: "reminder",
  script: [{
    id: "ask",
    say: greeting,
    expect: [{ match: ["yes"], set: { paid: true }, go: "goodbye" }]
  }]
})

let trunkline: Trunkline
let ids: ReadonlyArray<string> = []

const write = (name: string, value: unknown) => writeFileSync(join(folder.path, name), JSON.stringify(value))

beforeAll(async () => {
  const agent = script("Have you paid, {{name}}?")
  trunkline = await createTrunkline({
    data: join(folder.path, "data"),
    agents: [agent],
    lines: [{ connection_id: "line", provider: "simulator", phone_numbers: ["+911140000001"] }],
    simulator: { speed: 250 },
    traces: { keep: true },
    logLevel: "none"
  })
  const { app_id, ...version } = agent
  write("trunkline.config.json", { agents: [{ app_id, versions: [{ app_version: 1, committed: true, ...version }] }] })
  write("changed.json", script("Did you pay, {{name}}?"))
  const ended = await Promise.all(["0", "1", "2"].map(async (end) => {
    const call = { agent: "reminder", to: `+91987654321${end}`, variables: { name: "Asha" } }
    return (await trunkline.calls.create(call)).ended
  }))
  ids = ended.map(({ attempt_id }) => attempt_id)
}, 120_000)
afterAll(async () => {
  await trunkline.close()
  folder.remove()
})

describe("trunkline replay, beside a running server", () => {
  it("says that nothing changes, and what would", async () => {
    const same = await run("replay", ids[0] ?? "", ...beside, "--check")
    assert.include(same.out, "reminder@1 -> reminder@1  same")
    assert.strictEqual(same.code, 0)
    const changed = await run("replay", ids[0] ?? "", "--agent", "changed.json", ...beside, "--check")
    assert.include(changed.out, "- agent: Have you paid, Asha?\n  + agent: Did you pay, Asha?")
    assert.strictEqual(changed.code, 1)
  })

  it("replays the file of a trace, without a server", async () => {
    const { out } = await run("replay", ids[1] ?? "", "--trace", ...beside)
    writeFileSync(join(folder.path, "call.trace"), out)
    assert.include((await run("replay", "call.trace", "--agent", "changed.json")).out, "changed")
    writeFileSync(join(folder.path, "cut.trace"), out.slice(0, 900))
    assert.include((await run("replay", "cut.trace", "--agent", "changed.json")).err, "cut off before its end")
    assert.include((await run("replay", "changed.json", "--agent", "changed.json")).err, "no header of a trace")
  })

  it("becomes a test with invented names, which is not written over another file", async () => {
    const test = ["test-from", ids[0] ?? "", ...beside, "--out", "test/complaint.test.ts", "--import", "./desk.js"]
    assert.include((await run(...test)).out, "Wrote test/complaint.test.ts")
    const text = readFileSync(join(folder.path, "test/complaint.test.ts"), "utf8")
    assert.include(text, `import { agent } from "./desk.js"`)
    assert.include(text, `variables: {"name":"Kiran"}`)
    assert.notInclude(text, "Asha")
    assert.include((await run(...test)).err, "exists already")
  })

  it("adds up many calls, and goes on where their file of results ends", async () => {
    const many = ["replay", "--agent", "changed.json", ...beside]
    const { out } = await run(...many, "--results", "results.jsonl")
    assert.include(out, "3 calls: 0 the same, 3 changed, 0 open, 0 skipped")
    const file = join(folder.path, "results.jsonl")
    const lines = readFileSync(file, "utf8").split("\n")
    writeFileSync(file, `${lines.slice(0, 2).join("\n")}\n${(lines[2] ?? "").slice(0, 50)}`)
    const again = await run(...many, "--results", "results.jsonl", "--json")
    assert.strictEqual(JSON.parse(again.out).changed, 3)
    assert.strictEqual(readFileSync(file, "utf8").trimEnd().split("\n").length, 4)
    assert.include((await run("replay", ...beside, "--results", "results.jsonl")).err, "results of something else")
    appendFileSync(file, "what\n")
    assert.include((await run(...many, "--results", "results.jsonl")).err, "is damaged")
    assert.include((await run(...many, "--of", "reminder", "--to", "2000-01-01")).out, "0 calls")
  })

  it("does not pass a check of no call, and makes the folder of its results", async () => {
    const none = await run("replay", "--campaign", "camp-000000000000", ...beside)
    assert.deepStrictEqual([none.code, none.out], [1, ""])
    assert.include(none.err, "nothing was replayed")
    assert.strictEqual((await run("replay", "--to", "2000-01-01", "--check", ...beside)).code, 1)
    assert.strictEqual((await run("replay", "--results", "new/replay.jsonl", ...beside)).code, 0)
    assert.include((await run("replay", "--results", "new", ...beside)).err, "is no file: name another one")
  })

  it("reads the key of the data folder, and makes none", async () => {
    const key = join(folder.path, "data/seal-key")
    renameSync(key, `${key}.kept`)
    const missing = await run("replay", ids[0] ?? "", ...beside)
    assert.deepStrictEqual([missing.code, existsSync(key)], [1, false])
    assert.match(
      missing.err,
      /^The data folder .* cannot be used: it has no seal-key, .*: name the data folder of the server with --data/
    )
    writeFileSync(key, "f".repeat(64))
    assert.include((await run("replay", ids[0] ?? "", ...beside)).err, "give the secret and the recording keys")
    renameSync(`${key}.kept`, key)
  })

  it("tells the cost of a model before it is asked", async () => {
    const { code, out } = await run("replay", "--agent", "changed.json", "--model", ...beside)
    assert.strictEqual(code, 0)
    assert.include(out, "3 calls to replay. 0 calls would ask the model")
    assert.include(out, "Add --yes to start")
  })

  it("says what is wrong with its command line", async () => {
    const unknown = "00000000-0000-7000-8000-000000000000"
    assert.include((await run("replay", unknown, ...beside)).err, "There is no trace of the call")
    assert.include((await run("replay", "../../etc", ...beside)).err, "There is no trace of the call")
    assert.include((await run("replay", unknown, "--agent", "nobody", ...beside)).err, "there are reminder")
    assert.include((await run("replay", unknown, "--agent", "reminder@x", ...beside)).err, "such as reminder")
    assert.include((await run("replay", "--parallel", "0", ...beside)).err, "1 to 64")
    assert.include((await run("replay", "--from", "yesterday", ...beside)).err, "ISO 8601")
    assert.include((await run("replay", unknown, "--workspace", "x", ...beside)).err, "--workspace")
  })
})
