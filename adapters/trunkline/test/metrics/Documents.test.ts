import { type MeterDescriptor, meterDescriptors } from "@trunkline/kernel"
import { readFileSync } from "node:fs"
import { assert, describe, it } from "vitest"
// Everything that declares metrics: the engine with its stores, the lines, the listener, and the process.
import "@trunkline/carrier-sip"
import "@trunkline/storage-postgres"
import "@trunkline/transcriber-websocket"
import "../../src/CreateTrunkline.js"
import "../../src/server/metrics/MetricsReader.js"

const read = (path: string) => readFileSync(new URL(path, import.meta.url), "utf8")
const page = read("../../../../docs/operations.md")
const declared = meterDescriptors().filter(({ name }) => name.startsWith("trunkline_"))

const unitOf = (name: string): string => {
  if (name.includes("timestamp_seconds")) return "seconds since 1970"
  if (/_seconds(_total)?$/.test(name)) return "seconds"
  return name.endsWith("_bytes") ? "bytes" : "number"
}

const labelsOf = ({ labels }: MeterDescriptor): string => Object.keys(labels).map((label) => `\`${label}\``).join(", ")

/** The row of a metric in the table of the documentation. */
const rowOf = (meter: MeterDescriptor): string =>
  `| \`${meter.name}\` | ${meter.type} | ${labelsOf(meter)} | ${unitOf(meter.name)} | ${meter.help} |`.replace(
    "|  |",
    "| |"
  )

/** Names of metrics in a text, without the suffixes of the series of histograms. */
const namesIn = (text: string): ReadonlyArray<string> => {
  const histograms = new Set(declared.filter(({ type }) => type === "histogram").map(({ name }) => name))
  return Array.from(text.matchAll(/trunkline_[a-z_]+/g), ([name]) => {
    const base = name.replace(/_(bucket|sum|count)$/, "")
    return histograms.has(base) ? base : name
  })
}

describe("the metrics", () => {
  it("are those of the table in the documentation", () => {
    const rows = page.split("\n").filter((line) => line.startsWith("| `trunkline_"))
    assert.deepStrictEqual(rows, declared.map(rowOf))
  })

  it("have names as Prometheus wants them, and few labels with few values", () => {
    for (const { help, labels, name, type } of declared) {
      assert.match(name, /^trunkline_[a-z][a-z0-9_]*[a-z0-9]$/)
      assert.strictEqual(name.endsWith("_total"), type === "counter", name)
      if (type === "histogram") assert.match(name, /_seconds$/)
      assert.notMatch(help, /\.$/)
      const combinations = Object.values(labels).reduce((product, values) => product * values.length, 1)
      assert.isAtMost(combinations, 60, name)
      assert.notIncludeMembers(Object.keys(labels), ["le", "quantile", "job", "instance"])
    }
  })

  it("of the dashboard and of the alerts exist, and each is on the dashboard", () => {
    const names = declared.map(({ name }) => name)
    const alerts = namesIn(read("../../deploy/monitoring/alerts.yml"))
    const dashboard = namesIn(read("../../deploy/monitoring/grafana.json"))
    assert.isNotEmpty(alerts)
    assert.includeMembers([...names], [...alerts])
    assert.sameMembers([...new Set(dashboard)], names)
  })

  it("are alerted about where the page says so", () => {
    const alerts = Array.from(
      read("../../deploy/monitoring/alerts.yml").matchAll(/- alert: (\w+)/g),
      ([, name = ""]) => name
    )
    const rows = Array.from(page.matchAll(/^\| `(Trunkline\w+)` \|/gm), ([, name = ""]) => name)
    assert.deepStrictEqual(rows, alerts)
  })

  it("are on a dashboard whose panels do not overlap", () => {
    const dashboard: unknown = JSON.parse(read("../../deploy/monitoring/grafana.json"))
    const panels: ReadonlyArray<
      { readonly gridPos: { readonly h: number; readonly w: number; readonly x: number; readonly y: number } }
    > = Reflect.get(Object(dashboard), "panels")
    const cells = panels.flatMap(({ gridPos: { h, w, x, y } }) =>
      Array.from({ length: w * h }, (_, index) => `${x + index % w},${y + Math.floor(index / w)}`)
    )
    assert.strictEqual(new Set(cells).size, cells.length)
    assert.isTrue(panels.every(({ gridPos: { w, x } }) => x + w <= 24))
  })
})
