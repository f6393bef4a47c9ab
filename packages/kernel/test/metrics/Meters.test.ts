import { assert, describe, it } from "@effect/vitest"
import { Metric, MetricState } from "effect"
import { makeCounter, makeGauge, makeHistogram, meterDescriptors } from "../../src/index.js"
import { meterReading } from "../../src/testing/MeterReading.js"

describe("a meter", () => {
  it("counts by its labels", () => {
    const calls = makeCounter({ name: "example_calls_total", help: "Calls", labels: { kind: ["in", "out"] } })
    calls.add(1, { kind: "in" })
    calls.add(2, { kind: "out" })
    calls.add(1, { kind: "out" })
    assert.strictEqual(meterReading("example_calls_total"), 4)
    assert.strictEqual(meterReading("example_calls_total", { kind: "out" }), 3)
  })

  it("counts every value that was not declared as one, so that nothing personal becomes a label", () => {
    const calls = makeCounter({ name: "example_people_total", help: "People", labels: { kind: ["known"] } })
    for (const kind of ["+919876543210", "https://example.com/hook", "camp-1", "toString", "__proto__"]) {
      calls.add(1, { kind })
    }
    assert.strictEqual(meterReading("example_people_total", { kind: "other" }), 5)
    const values = Metric.unsafeSnapshot().filter(({ metricKey }) => metricKey.name === "example_people_total")
    assert.deepStrictEqual(values.map(({ metricKey }) => metricKey.tags.map(({ value }) => value)), [["other"]])
  })

  it("tells combinations of values apart, whatever their letters", () => {
    const pairs = makeCounter({
      name: "example_pairs_total",
      help: "Pairs",
      labels: { one: ["a", "a b"], two: ["c", "b c"] }
    })
    pairs.add(1, { one: "a", two: "b c" })
    pairs.add(1, { one: "a b", two: "c" })
    assert.strictEqual(meterReading("example_pairs_total", { one: "a", two: "b c" }), 1)
    assert.strictEqual(meterReading("example_pairs_total", { one: "a b", two: "c" }), 1)
  })

  it("has one series for the same values, by whichever way they are counted", () => {
    const calls = makeCounter({ name: "example_ways_total", help: "Ways", labels: { kind: ["in", "out"] } })
    const addIn = calls.adderOf({ kind: "in" })
    addIn(2)
    calls.add(1, { kind: "in" })
    calls.adderOf({ kind: "elsewhere" })(1)
    assert.strictEqual(meterReading("example_ways_total", { kind: "in" }), 3)
    assert.strictEqual(meterReading("example_ways_total", { kind: "other" }), 1)
    assert.strictEqual(meterReading("example_ways_total"), 4)
  })

  it("has the last value of a gauge, and the values of a histogram", () => {
    const depth = makeGauge({ name: "example_depth", help: "Depth" })
    depth.set(7)
    depth.set(3)
    assert.strictEqual(meterReading("example_depth"), 3)
    const times = makeHistogram({ name: "example_times_seconds", help: "Times", bounds: [1, 2] })
    for (const seconds of [0.5, 1.5, 9, -1]) times.record(seconds)
    const [found] = Metric.unsafeSnapshot().filter(({ metricKey }) => metricKey.name === "example_times_seconds")
    const state = found?.metricState
    if (!MetricState.isHistogramState(state)) assert.fail("it is no histogram")
    assert.deepInclude(state, { count: 4, sum: 11, min: 0 })
    assert.deepStrictEqual(state.buckets.map(([, count]) => count).slice(0, 2), [2, 3])
  })

  it("is known by its declaration", () => {
    makeCounter({ name: "example_known_total", help: "Known", labels: { kind: ["a"] } })
    assert.deepInclude(meterDescriptors(), {
      name: "example_known_total",
      help: "Known",
      labels: { kind: ["a"] },
      type: "counter"
    })
  })
})
