import { type ChildProcess, spawn, spawnSync } from "node:child_process"
import { once } from "node:events"
import { readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { afterAll, assert, describe, it } from "vitest"
import { temporaryFolder } from "../commands/Commands.js"

const path = (relative: string) => fileURLToPath(new URL(relative, import.meta.url))
const folder = temporaryFolder()
const children: Array<ChildProcess> = []
afterAll(() => {
  children.forEach((child) => child.kill("SIGKILL"))
  folder.remove()
})

/** Runs Prometheus's own tool; it is in the package `prometheus` of Debian. */
const promtool = (args: ReadonlyArray<string>, input = "") => {
  const { status, stderr, stdout } = spawnSync("promtool", args, { input, encoding: "utf8" })
  return { status, said: `${stdout}${stderr}` }
}

const isInstalled = spawnSync("promtool", ["--version"]).status === 0

/** Starts a server with one simulated line, and waits until it has said where it is. */
const serve = async (environment: Readonly<Record<string, string>>, ...args: ReadonlyArray<string>) => {
  const config = join(folder.path, "trunkline.config.json")
  writeFileSync(config, JSON.stringify({ agents: [], data: ":memory:", keys: [] }))
  const child = spawn(
    process.execPath,
    [path("../../bin/trunkline.mjs"), "serve", "--config", config, "--port", "0", ...args],
    { env: { ...process.env, ...environment }, stdio: ["ignore", "pipe", "pipe"] }
  )
  children.push(child)
  let output = ""
  for (const stream of [child.stdout, child.stderr]) stream.on("data", (chunk: Buffer) => output += chunk.toString())
  const exited = once(child, "exit").then(() => Promise.reject(new Error(output)))
  const ready = async () => {
    while (!/^trunkline ready \S+[^]*^No key/m.test(output)) await once(child.stdout, "data")
  }
  await Promise.race([ready(), exited])
  exited.catch(() => undefined)
  const [, url = ""] = /^trunkline ready (\S+)$/m.exec(output) ?? []
  const [, metricsUrl = ""] = /^Metrics: (\S+)$/m.exec(output) ?? []
  return { url, metricsUrl, output: () => output }
}

const ask = async (url: string, token?: string) => {
  const response = await fetch(url, token === undefined ? {} : { headers: { authorization: `Bearer ${token}` } })
  return { status: response.status, text: await response.text() }
}

describe.skipIf(!isInstalled)("promtool of Prometheus, where it is installed", () => {
  it("finds no fault in the metrics of a server, on a port of their own", async () => {
    const { metricsUrl, url } = await serve({}, "--metrics-port", "0")
    const { status, text } = await ask(metricsUrl)
    assert.strictEqual(status, 200)
    assert.include(text, "trunkline_attempts_total{kind=\"campaign\",outcome=\"unknown\"} 0\n")
    assert.deepStrictEqual(promtool(["check", "metrics"], text), { status: 0, said: "" })
    assert.strictEqual((await ask(`${url}/metrics`)).status, 404)
  })

  it("finds a fault in metrics that have one", () => {
    const { said, status } = promtool(["check", "metrics"], "# TYPE trunkline_calls counter\ntrunkline_calls 1\n")
    assert.notStrictEqual(status, 0)
    assert.include(said, "counter metrics should have \"_total\" suffix")
  })

  it("finds no fault in the alert rules, which fire when they should", () => {
    assert.strictEqual(promtool(["check", "rules", path("../../deploy/monitoring/alerts.yml")]).status, 0)
    const { said, status } = promtool(["test", "rules", path("alerts.test.yml")])
    assert.strictEqual(status, 0, said)
  })
})

/** The queries of the dashboard as recording rules, with its variables filled in. */
const dashboardRules = (): string => {
  const text = readFileSync(path("../../deploy/monitoring/grafana.json"), "utf8")
  const queries = Array.from(
    text.matchAll(/"expr": ("(?:[^"\\]|\\.)*")/g),
    ([, query = ""]) => String(JSON.parse(query))
  )
  assert.isAbove(queries.length, 50)
  const rules = queries.map((query, index) => ({
    record: `dashboard:query_${index}`,
    expr: query.replaceAll("$__rate_interval", "5m").replaceAll("$job", "trunkline")
  }))
  // JSON is YAML.
  return JSON.stringify({ groups: [{ name: "dashboard", rules }] })
}

describe.skipIf(!isInstalled)("the dashboard", () => {
  it("has queries that Prometheus understands", () => {
    const file = join(folder.path, "dashboard.yml")
    writeFileSync(file, dashboardRules())
    const { said, status } = promtool(["check", "rules", file])
    assert.strictEqual(status, 0, said)
  })
})

describe("trunkline serve with a token of metrics", () => {
  const token = "0123456789abcdef"

  it("has them on the port of the API too, for those who show it, and never prints it", async () => {
    const { metricsUrl, output, url } = await serve({ TRUNKLINE_METRICS_TOKEN: token }, "--metrics-port", "0")
    for (const place of [metricsUrl, `${url}/metrics`]) {
      assert.strictEqual((await ask(place)).status, 401)
      assert.strictEqual((await ask(place, "0123456789abcdeX")).status, 401)
      assert.include((await ask(place, token)).text, "\ntrunkline_processes 1\n")
    }
    assert.notInclude(output(), token)
  })

  it("says which port is taken, and what to do", async () => {
    const { metricsUrl } = await serve({}, "--metrics-port", "0")
    const port = new URL(metricsUrl).port
    const failure = await serve({}, "--metrics-port", port).catch((error: Error) => error.message)
    assert.match(
      String(failure),
      new RegExp(`cannot be served on 127.0.0.1, port ${port} .*EADDRINUSE.*choose another --metrics-port`)
    )
  })
})
