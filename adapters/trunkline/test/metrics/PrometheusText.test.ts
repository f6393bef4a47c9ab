import { makeCounter, makeGauge, makeHistogram } from "@trunkline/kernel"
import { Effect, Metric } from "effect"
import { assert, describe, it } from "vitest"
import { prometheusText } from "../../src/server/metrics/PrometheusText.js"

/** Lines of the text about one metric. */
const linesOf = (name: string): ReadonlyArray<string> =>
  prometheusText().split("\n").filter((line) => line.replace(/^# (HELP|TYPE) /, "").startsWith(name))

describe("Prometheus's text", () => {
  it("has counters from 0 on, for each combination of their labels", () => {
    const calls = makeCounter({
      name: "example_text_calls_total",
      help: "Calls",
      labels: { kind: ["in", "out"], result: ["ok", "failed"] }
    })
    calls.add(2, { kind: "out", result: "ok" })
    calls.add(1, { kind: "out", result: "+919876543210" })
    const [help, type, ...samples] = linesOf("example_text_calls_total")
    assert.deepStrictEqual([help, type], [
      "# HELP example_text_calls_total Calls",
      "# TYPE example_text_calls_total counter"
    ])
    assert.sameMembers(samples, [
      "example_text_calls_total{kind=\"in\",result=\"ok\"} 0",
      "example_text_calls_total{kind=\"in\",result=\"failed\"} 0",
      "example_text_calls_total{kind=\"out\",result=\"ok\"} 2",
      "example_text_calls_total{kind=\"out\",result=\"failed\"} 0",
      "example_text_calls_total{kind=\"out\",result=\"other\"} 1"
    ])
  })

  it("has histograms with cumulative buckets, whose last one counts all", () => {
    const times = makeHistogram({ name: "example_text_seconds", help: "Times", bounds: [0.5, 2] })
    for (const seconds of [0.25, 1, 60]) times.record(seconds)
    assert.deepStrictEqual(linesOf("example_text_seconds"), [
      "# HELP example_text_seconds Times",
      "# TYPE example_text_seconds histogram",
      "example_text_seconds_bucket{le=\"0.5\"} 1",
      "example_text_seconds_bucket{le=\"2\"} 2",
      "example_text_seconds_bucket{le=\"+Inf\"} 3",
      "example_text_seconds_sum 61.25",
      "example_text_seconds_count 3"
    ])
  })

  it("escapes characters with a meaning, and writes NaN and infinity", () => {
    const depth = makeGauge({
      name: "example_text_depth",
      help: "A \\ and\na line",
      labels: { place: ["a \"b\" \\ c\nd", "low"] }
    })
    depth.set(NaN, { place: "a \"b\" \\ c\nd" })
    depth.set(-Infinity, { place: "low" })
    assert.sameMembers([...linesOf("example_text_depth")], [
      "# HELP example_text_depth A \\\\ and\\na line",
      "# TYPE example_text_depth gauge",
      "example_text_depth{place=\"a \\\"b\\\" \\\\ c\\nd\"} NaN",
      "example_text_depth{place=\"low\"} -Inf"
    ])
  })

  it("leaves out what nobody has measured, and metrics of others in the same process", async () => {
    makeGauge({ name: "example_text_unset", help: "Unset" })
    await Effect.runPromise(Metric.increment(Metric.counter("example_text_of_the_host")))
    assert.deepStrictEqual(linesOf("example_text_unset"), [])
    assert.deepStrictEqual(linesOf("example_text_of_the_host"), [])
  })
})
