import { execFileSync } from "node:child_process"
import { existsSync, readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { afterAll, assert, describe, it } from "vitest"
import { bundled } from "../../../test/programs/Programs.js"
import { runServer, startServer, temporaryFolder, writeBootstrap } from "./ServerProcess.js"

const command = [await bundled("examples/server/src/main.ts")]
const run = (args: ReadonlyArray<string>, environment: NodeJS.ProcessEnv = {}) =>
  runServer(args, { command, environment })

const folder = temporaryFolder()
afterAll(folder.remove)

describe("npm start", () => {
  it("with --once calls all contacts, prints the summary without phone numbers, and exits with 0", async () => {
    const { code, output } = await run(["--once", "--port", "0", "--data", ":memory:"])
    assert.strictEqual(code, 0, output)
    assert.match(output, /^trunkline ready http:\/\/127\.0\.0\.1:\d+$/m)
    assert.match(output, /Rows in the file {5}60: 53 people to call, 7 rejected/)
    assert.match(output, /Calls made {11}64, of which 11 retries/)
    assert.match(output, /Webhooks received {4}64 for 64 attempts/)
    assert.match(output, /Every contact ended as expected\./)
    assert.notMatch(output, /^W=/m, "the server is gone, so nothing can be asked of it")
    const numbers = readFileSync(new URL("../assets/contacts.csv", import.meta.url), "utf8").match(/\d{10}/g) ?? []
    assert.isNotEmpty(numbers)
    assert.deepStrictEqual(numbers.filter((number) => output.includes(number)), [])
  })

  it("calls the contacts of the given files", async () => {
    const contacts = join(folder.path, "contacts.csv")
    const transformation = join(folder.path, "transformation.json")
    writeFileSync(contacts, "who,phone\nAsha,9876543210\nBilal,9876543211\n")
    writeFileSync(transformation, JSON.stringify({ phone_number: { column_name: "phone" } }))
    const { code, output } = await run([
      "--once",
      "--port",
      "0",
      "--data",
      ":memory:",
      "--bootstrap",
      writeBootstrap(folder.path),
      "--contacts",
      contacts,
      "--transformation",
      transformation
    ])
    assert.strictEqual(code, 0, output)
    assert.match(output, /2: 2 people to call, 0 rejected/)
  })

  it("prints its usage", async () => {
    const { code, output } = await runServer(["--help"])
    assert.strictEqual(code, 0)
    assert.match(output, /^Usage: npm start/)
  })

  it("rejects invalid flags with one line and the usage", async () => {
    for (const args of [["--prot", "1"], ["--port", "99999"], ["--once", "--no-demo"], ["extra"]]) {
      const { code, output } = await run(args)
      assert.strictEqual(code, 1, args.join(" "))
      assert.match(output, /Usage: npm start/)
      assert.notMatch(output, /^ {4}at /m)
    }
  })

  it("rejects unusable demo files and folders before it serves, without a stack trace", async () => {
    const memory = ["--port", "0", "--data", ":memory:", "--once"]
    const file = join(folder.path, "a-file")
    writeFileSync(file, "name\nAsha\n")
    const refusals: ReadonlyArray<readonly [args: ReadonlyArray<string>, why: RegExp, served: boolean]> = [
      [[...memory, "--contacts", "/nope.csv"], /nope\.csv cannot be read/, false],
      [[...memory, "--transformation", "/nope.json"], /nope\.json cannot be read/, false],
      [["--port", "0", "--no-demo", "--data", file], /choose a folder with --data/, false],
      [[...memory, "--host", "203.0.113.7"], /choose an address of this machine/, false],
      [[...memory, "--contacts", file], /The demo cannot go on: .*422.*column_name/, true]
    ]
    for (const [args, why, served] of refusals) {
      const { code, output } = await run(args)
      assert.strictEqual(code, 1, output)
      assert.match(output, why)
      assert.notMatch(output, /^ {4}at /m)
      assert.strictEqual(output.includes("trunkline ready"), served)
    }
  })

  it("rejects a bootstrap file with one line for each problem", async () => {
    const bootstrap = writeBootstrap(folder.path, {
      colour: "blue",
      keys: [{ key: "secret", account_id: "acme" }],
      connections: [{ connection_id: "sim-1", provider: "simulator", phone_numbers: ["12"] }]
    })
    const { code, output } = await run(["--no-demo", "--port", "0", "--bootstrap", bootstrap])
    assert.strictEqual(code, 1)
    const problems = output.trim().split("\n").slice(1).map((line) => line.trim().replace(/:.*/, "")).sort()
    assert.deepStrictEqual(problems, ["colour", "connections.0.phone_numbers.0", "keys.0.key"])
    assert.notInclude(output, "\"secret\"")
  })

  it("rejects unresolved and duplicate names in a bootstrap file", async () => {
    const bootstrap = writeBootstrap(folder.path, {
      workspaces: [
        { org_id: "acme", workspace_id: "main", account_id: "acme" },
        { org_id: "acme", workspace_id: "main", account_id: "other" }
      ],
      keys: [
        { key: "sk_test_one_secretA", account_id: "acme" },
        { key: "sk_live_one_secretB", account_id: "acme" }
      ],
      connections: [
        { connection_id: "sim-1", provider: "simulator", phone_numbers: ["+911140000001"] },
        { connection_id: "sim-2", provider: "simulator", phone_numbers: ["+911140000001"] }
      ]
    })
    const { code, output } = await run(["--no-demo", "--port", "0", "--bootstrap", bootstrap])
    assert.strictEqual(code, 1)
    assert.match(output, /workspaces\.1: acme\/main is given twice/)
    assert.match(output, /keys\.1: the public id of a key is given twice/)
    assert.match(output, /phone numbers of connections\.1: \+911140000001 is given twice/)
    assert.notMatch(output, /secret[AB]/)
    assert.match(output, /workspaces\.1\.account_id: There is no account "other"/)
  })

  it("ends with one line if the data folder cannot be created", async () => {
    const bootstrap = writeBootstrap(folder.path)
    writeFileSync(join(folder.path, "a-file"), "")
    // Nothing can be created in /proc, which reports that as a missing parent.
    for (const data of [join(folder.path, "a-file", "data"), ...(existsSync("/proc/self") ? ["/proc/x/data"] : [])]) {
      const { code, output } = await run(["--no-demo", "--port", "0", "--data", data, "--bootstrap", bootstrap])
      assert.strictEqual(code, 1)
      assert.match(output, /^E[A-Z]+: .*: choose a(nother)? folder with --data[^\n]*\n$/)
    }
  })

  it("reads options from the environment, with flags taking precedence", async () => {
    const bootstrap = writeBootstrap(folder.path)
    const environment = { TRUNKLINE_BOOTSTRAP: join(folder.path, "missing.json"), TRUNKLINE_DATA: ":memory:" }
    const missing = await run(["--no-demo", "--port", "0"], environment)
    assert.strictEqual(missing.code, 1)
    assert.match(missing.output, /missing\.json cannot be read/)
    const flagged = await run(["--no-demo", "--port", "not a port", "--bootstrap", bootstrap], environment)
    assert.match(flagged.output, /--port .*must be a number/)
  })

  it("prints the variables of the documentation's examples, ready to paste into a shell", async () => {
    const server = await startServer(["--no-demo", "--data", ":memory:", "--bootstrap", writeBootstrap(folder.path)], {
      command
    })
    await server.printed(/^KEY=/m)
    const lines = server.output().split("\n").filter((line) => /^[A-Z]+=/.test(line))
    const values = execFileSync("sh", ["-c", `${lines.join("\n")}\nprintf '%s\\n' "$W" "$BASE" "$KEY"`], {
      encoding: "utf8"
    })
    const [workspace = "", boards = "", key = ""] = values.split("\n")
    const statuses = await Promise.all([
      fetch(`${workspace}/campaigns`, { headers: { "api-subscription-key": key } }),
      fetch(`${boards}/query-schema`, { headers: { "X-API-Key": key } })
    ])
    assert.deepStrictEqual(statuses.map(({ status }) => status), [200, 200])
    const [link = ""] = /^http\S+#\S+$/m.exec(server.output()) ?? []
    const page = await fetch(link, { headers: { accept: "text/html" } })
    assert.match(await page.text(), /^<!doctype html>/)
    assert.strictEqual(new URLSearchParams(new URL(link).hash.slice(1)).get("key"), key)
    await server.stop("SIGTERM")
  })

  it("prints the link to the board at once, before the first call, and the board is there", async () => {
    const server = await startServer(["--data", ":memory:"], { command })
    await server.printed(/people done/)
    const lines = server.output().split("\n").filter((line) => line !== "")
    assert.match(lines[0] ?? "", /^trunkline ready /)
    const at = lines.findIndex((line) => /^http\S+#\S+$/.test(line))
    assert.isBelow(at, 3, server.output())
    const { board, campaign, key, org, workspace } = Object.fromEntries(
      new URLSearchParams(new URL(lines[at] ?? "").hash.slice(1))
    )
    const of = async (path: string) =>
      JSON.parse(await (await server.request(path, { headers: { "api-subscription-key": key ?? "" } })).text())
    const { tabs } = await of(`/api/analytics/v1/${org}/${workspace}/boards/${board}`)
    assert.lengthOf(tabs[0].widgets, 4)
    const { campaign_id } = await of(`/v1/orgs/${org}/workspaces/${workspace}/campaigns/${campaign}`)
    assert.strictEqual(campaign_id, campaign)
    assert.strictEqual(await server.stop("SIGTERM"), 0, server.output())
  })

  it("stopped during its demo finishes the calls in progress and exits with 0", async () => {
    const server = await startServer(["--data", ":memory:"], { command })
    await server.printed(/people done/)
    assert.strictEqual(await server.stop("SIGTERM"), 0, server.output())
    assert.notMatch(server.output(), /^ {4}at /m)
  })

  it("locks its data folder, and releases it", async () => {
    const data = join(folder.path, "data")
    const args = ["--no-demo", "--data", data, "--bootstrap", writeBootstrap(folder.path)]
    const first = await startServer(args, { command })
    const second = await run(["--port", "0", ...args])
    assert.strictEqual(second.code, 1)
    assert.match(second.output, /another process uses/i)
    assert.notMatch(second.output, /^ {4}at /m)
    assert.strictEqual(await first.stop("SIGTERM"), 0)
    const third = await startServer(args, { command })
    assert.strictEqual(await third.stop("SIGINT"), 0)
  })
})
