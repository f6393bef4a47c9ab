import BetterSqlite from "better-sqlite3"
import { join } from "node:path"
import { afterAll, assert, describe, it } from "vitest"
import { bundled } from "../../../test/programs/Programs.js"
import { campaignsPath } from "./Requests.js"
import { type ServerProcess, startServer, temporaryFolder, writeBootstrap } from "./ServerProcess.js"

const command = [await bundled("examples/server/src/main.ts")]

const folder = temporaryFolder()
afterAll(folder.remove)

/** Enough that they could not wait one after another within the time of a test. */
const calls = 16

const post = (server: ServerProcess, path: string, body: unknown) =>
  server.request(path, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify(body)
  })

const chat = (server: ServerProcess) =>
  post(server, "/v1/chat/completions", { model: "core-105b", messages: [{ role: "user", content: "Hello" }] })

const desk = {
  name: "Desk",
  app_id: "reminder",
  app_version: 1,
  connection_configs: [{ connection_id: "sim-1", phone_numbers: ["+911140000001"] }]
}

/** The status of an answer, when to try again, and its error's code. */
const told = async (asked: Promise<Response>) => {
  const response = await asked
  const code = /"code":"(\w+)"/.exec(await response.text())?.[1] ?? null
  return [response.status, response.headers.get("retry-after"), code]
}

describe("a server whose database another process keeps locked", () => {
  it("responds: reads succeed, writes fail with a clear error, and no credits are lost", async () => {
    const data = join(folder.path, "data")
    const bootstrap = writeBootstrap(folder.path, { accounts: [{ account_id: "acme", credits: 1_000_000_000 }] })
    const server = await startServer(["--no-demo", "--data", data, "--bootstrap", bootstrap], { command })
    assert.strictEqual((await chat(server)).status, 200, server.output())
    const other = new BetterSqlite(join(data, "trunkline.db"))
    const ledger = other.prepare(`
      select (select count(*) from credit_reservations) as reserved,
        (select sum(amount) from credit_entries) as balance, (select count(*) from deployments) as deployments
    `)
    const before = ledger.get()

    other.exec("begin immediate")
    const writing = Array.from({ length: calls }, () => told(chat(server)))
    const creating = told(post(server, "/v1/orgs/acme/workspaces/main/deployments", desk))
    const reading = await Promise.all([
      told(fetch(`${server.url}/v2/models`)),
      told(server.request("/v2/models")),
      told(fetch(`${server.url}${campaignsPath}`)),
      told(server.request(campaignsPath)),
      told(server.request("/v1/orgs/acme/workspaces/main/deployments/dep-000000000000"))
    ])
    assert.deepStrictEqual(reading, [
      [200, null, null],
      [200, null, null],
      [403, null, "invalid_api_key_error"],
      [200, null, null],
      [404, null, "not_found_error"]
    ])
    const refused = [502, "5", "billing_service_unavailable_error"]
    assert.deepStrictEqual(await Promise.all(writing), Array.from({ length: calls }, () => refused))
    assert.deepStrictEqual(await creating, [503, "5", "internal_server_error"])
    other.exec("commit")

    assert.deepStrictEqual(ledger.get(), before)
    other.close()
    assert.strictEqual((await chat(server)).status, 200, server.output())
    assert.notInclude(server.output(), "failed unexpectedly")
    assert.strictEqual(await server.stop("SIGTERM"), 0)
  })
})
