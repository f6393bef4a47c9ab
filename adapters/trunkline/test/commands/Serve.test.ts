import { readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { afterAll, assert, describe, it } from "vitest"
// Loaded here, since that takes longer than a test may.
import "../../src/commands/ServeCommand.js"
import { commandsIn, temporaryFolder } from "./Commands.js"

const folder = temporaryFolder()
afterAll(folder.remove)
const run = commandsIn(folder.path)

const write = (name: string, text: string) => writeFileSync(join(folder.path, name), text)

describe("trunkline init", () => {
  it("writes a configuration that is fine, with comments, its schema and an example of the environment", async () => {
    const { code, out } = await run("init", "first")
    assert.strictEqual(code, 0)
    assert.match(
      out,
      /wrote first\/trunkline\.config\.json\nwrote first\/trunkline\.schema\.json\nwrote first\/\.env\.example/
    )
    const text = readFileSync(join(folder.path, "first/trunkline.config.json"), "utf8")
    assert.match(text, /^ {2}\/\/ /m)
    assert.match(text, /sk_test_first_[0-9a-f]{32}/)
    const checked = await run("serve", "--config", "first/trunkline.config.json", "--check")
    assert.deepStrictEqual([checked.code, checked.err], [0, ""])
    assert.match(checked.out, /trunkline\.config\.json is fine\.$/)
  })

  it("overwrites nothing", async () => {
    await run("init", "second")
    const { code, err } = await run("init", "second")
    assert.strictEqual(code, 1)
    assert.match(
      err,
      /has trunkline\.config\.json and trunkline\.schema\.json and \.env\.example already: choose another/
    )
  })
})

describe("trunkline serve --check", () => {
  it("prints each problem of a file with its path, and exits with 1", async () => {
    write(
      "wrong.json",
      `{
      // A comment is fine.
      "databse_env": "X",
      "port": "http",
      "keys": [{ "key": "secret-of-acme", "account_id": "acme" }],
      "model": { "kind": "openai-compatible", "base_url": "ftp://models" }
    }`
    )
    const { code, err } = await run("serve", "--config", "wrong.json", "--check")
    assert.strictEqual(code, 1)
    const paths = err.split("\n").slice(1).map((line) => line.trim().split(":")[0]).sort()
    assert.deepStrictEqual(paths, ["databse_env", "keys.0.key", "model.base_url", "port"])
    assert.match(err, /databse_env: is not a known field; did you mean database_env\?/)
    assert.notInclude(err, "secret-of-acme")
  })

  it("names variables that are not set, and never prints a value", async () => {
    write(
      "lacking.json",
      JSON.stringify({
        model: { kind: "openai-compatible", base_url: "https://models.example/v1", api_key_env: "MODEL_KEY" }
      })
    )
    const lacking = await run("serve", "--config", "lacking.json", "--check")
    assert.match(lacking.err, /model\.api_key_env: The environment variable MODEL_KEY is not set/)
    const environment = { MODEL_KEY: "hushhush", TRUNKLINE_SECRET: "hushhush" }
    const short = await commandsIn(folder.path, environment)("serve", "--config", "lacking.json", "--check")
    assert.strictEqual(short.code, 1)
    assert.include(short.err, "--secret (or TRUNKLINE_SECRET) must have at least 32 characters")
    assert.notInclude(short.err, "hushhush")
  })

  it("names variables of OpenTelemetry that cannot be used, without their values", async () => {
    write("plain.json", "{}")
    const environment = { OTEL_EXPORTER_OTLP_ENDPOINT: "hushhush:4317", OTEL_TRACES_SAMPLER_ARG: "7" }
    const { code, err } = await commandsIn(folder.path, environment)("serve", "--config", "plain.json", "--check")
    assert.strictEqual(code, 1)
    assert.match(err, /The variables cannot be used:\n {2}OTEL_EXPORTER_OTLP_ENDPOINT must be an http or https URL/)
    assert.include(err, "OTEL_TRACES_SAMPLER_ARG must be a number from 0 to 1")
    assert.notInclude(err, "hushhush")
  })

  it("names the line of a mistake in JSON", async () => {
    write("broken.json", "{\n  // one\n  \"port\": 1,\n  \"host\" \"x\"\n}")
    const { err } = await run("serve", "--config", "broken.json", "--check")
    assert.match(err, /The file is not JSON: there is a mistake in line 4/)
  })

  it("says what to do about a file that is not there", async () => {
    const { code, err } = await run("serve", "--config", "nowhere.json", "--check")
    assert.strictEqual(code, 1)
    assert.match(err, /nowhere\.json cannot be read: ENOENT/)
  })

  it("reads a module that exports options", async () => {
    write("fine.mjs", `export default { agents: [{ app_id: "a" }], lines: [] }`)
    write("wrong.mjs", `export default { agents: [{ app_id: "a", first_mesage: "Hi" }] }`)
    write("none.mjs", `export const options = {}`)
    assert.strictEqual((await run("serve", "--config", "fine.mjs", "--check")).code, 0)
    assert.match((await run("serve", "--config", "wrong.mjs", "--check")).err, /agents\.0\..*first_mesage/)
    assert.match((await run("serve", "--config", "none.mjs", "--check")).err, /no default export: write export default/)
  })

  it("prints a JSON Schema in which every key has a description", async () => {
    const { code, out } = await run("serve", "--print-schema")
    assert.strictEqual(code, 0)
    const { properties } = JSON.parse(out)
    const described = Object.entries<{ readonly description?: string }>(properties)
    assert.isAbove(described.length, 25)
    assert.deepStrictEqual(described.filter(([, { description }]) => description === undefined), [])
  })
})

describe("the command line", () => {
  it("lists all commands, and shows the usage of each", async () => {
    const { code, out } = await run("--help")
    assert.strictEqual(code, 0)
    for (const name of ["init", "serve", "accounts create", "keys create"]) {
      assert.match(out, new RegExp(`^ {2}${name} `, "m"))
    }
    assert.match((await run("serve", "--help")).out, /--pause <seconds>/)
  })

  it("rejects unknown flags and values that are missing with one line and exit code 2", async () => {
    for (const args of [["serve", "--prot", "1"], ["serve", "--config", ""], ["init", "a", "b"], ["sevre"]]) {
      const { code, err } = await run(...args)
      assert.strictEqual(code, 2, args.join(" "))
      assert.notInclude(err, "\n")
    }
  })
})
