import { assert, describe, it } from "@effect/vitest"
import type { Chart, NumberChart, PlotChart } from "@trunkline/charts"
import { svgTexts } from "@trunkline/charts/testing"
import { Either } from "effect"
import { colours, seriesColours } from "../src/draw/Style.js"
import { categoryLabels, makeTextFit, timeLabel } from "../src/draw/TextFit.js"
import { makeAdvances } from "../src/text/Advances.js"
import { draw, inkExtent, inkIn, pngOf, size } from "./Ink.js"

const bars = (labels: ReadonlyArray<string>, change: Partial<PlotChart> = {}): PlotChart => ({
  kind: "bar",
  title: "",
  x: { name: "x", labels, times: null, unit: null },
  series: [{ name: "calls", values: labels.map((_, index) => index + 1) }],
  note: null,
  ...change
})

const svgOf = (chart: Chart) => new TextDecoder().decode(Either.getOrThrow(draw(chart, "svg")))

const textsIn = (chart: PlotChart) => svgTexts(svgOf(chart))

/** Vertical position of the middle of a text of this colour; of the end of a rotated one. */
const heightOf = (svg: string, text: string, colour: string): number => {
  const [, tag = ""] =
    svg.split("\n").map((line) => new RegExp(`(<text.* fill="${colour}").*>${text}</text>`).exec(line))
      .find((box) => box !== null) ?? assert.fail(`there is no ${text}`)
  const [, place = ""] = /[ ,]([\d.]+)\)"/.exec(tag) ?? []
  const [, offset = "0"] = / y="([-\d.]+)"/.exec(tag) ?? []
  return Number(place) + Number(offset)
}

/** Region under the axis, with labels and the name of the axis. */
const under = { left: 0, top: 480, right: size.width * size.scale, bottom: size.height * size.scale }

describe("a chart", () => {
  it("has ink at its labels, and none without them", () => {
    const labelled = inkIn(pngOf(bars(["हिन्दी", "தமிழ்"])), under).length
    const bare = inkIn(pngOf(bars([" ", " "])), under).length
    assert.isAbove(labelled, bare + 200)
  })

  it("has a legend for several series, and the name of a single one", () => {
    const two = bars(["a"], { series: [{ name: "कनेक्टेड", values: [1] }, { name: "missed", values: [2] }] })
    assert.includeMembers([...textsIn(two)], ["कनेक्टेड", "missed"])
    assert.include(textsIn(bars(["a"])), "calls")
  })

  it("shows the values of few bars, abbreviated like those of the axis", () => {
    assert.include(textsIn(bars(["a"], { series: [{ name: "calls", values: [1_234_567] }] })), "12.35L")
  })

  it("shows the values of bars with four digits, where the axis has fewer", () => {
    const texts = textsIn(bars(["a", "b"], { series: [{ name: "calls", values: [1_001, 12_345] }] }))
    assert.includeMembers([...texts], ["1,001", "12.35K", "14K"])
  })

  it("hides the values of bars when they would overlap", () => {
    const months = Array.from({ length: 12 }, (_, place) => String(place))
    const written = (value: number, label: string) =>
      textsIn(bars(months, { series: [{ name: "calls", values: months.map(() => value) }] })).filter((text) =>
        text === label
      ).length
    assert.strictEqual(written(12_345_678, "1.235Cr"), 0)
    assert.strictEqual(written(777, "777"), 12)
  })

  it("draws values up to 1e18", () => {
    const svg = svgOf(bars(["a", "b", "c"], { series: [{ name: "calls", values: [1e18, 1.2e17, -1e18] }] }))
    assert.notMatch(svg, /NaN|undefined/)
    assert.includeMembers([...svgTexts(svg)], ["1e18", "1.2e17", "−1e18"])
  })

  it("writes the number of the lowest bar above the labels of the axis, level or turned", () => {
    for (const months of [["Jan", "Feb", "Mar"], Array.from({ length: 12 }, (_, place) => `Month number ${place}`)]) {
      for (const others of [-98, 98]) {
        const values = months.map((_, place) => place === 1 ? -100 : others)
        const svg = svgOf(bars(months, { series: [{ name: "calls", values }] }))
        assert.isAbove(heightOf(svg, months[1] ?? "", colours.muted), heightOf(svg, "−100", colours.text) + 13)
      }
    }
  })

  it("keeps the ends of long names, under the axis and in the legend", () => {
    const months = Array.from({ length: 40 }, (_, place) => `Campaign of the month of number ${place + 10}`)
    const labels = textsIn(bars(months)).filter((text) => text.startsWith("Camp"))
    assert.isAbove(labels.length, 10)
    assert.strictEqual(new Set(labels).size, labels.length)
    const names = months.slice(0, 3).map((month) => `${month} of those that are called once a day (${month.slice(-2)})`)
    const svg = textsIn(bars(["a"], { series: names.map((name) => ({ name, values: [1] })) }))
    for (const end of ["(10)", "(11)", "(12)"]) {
      assert.strictEqual(svg.filter((text) => text.startsWith("Camp") && text.endsWith(`…${end}`.slice(1))).length, 1)
    }
  })

  it("keeps bars with equal labels apart", () => {
    assert.strictEqual(textsIn(bars(["same", "same", "same"])).filter((text) => text === "same").length, 3)
  })

  it("does not pollute objects, whatever its texts are", () => {
    const names = ["__proto__", "constructor", "toString", "hasOwnProperty", "valueOf"]
    const chart = bars(names, { title: "__proto__", series: names.map((name) => ({ name, values: [1, 2, 3, 4, 5] })) })
    const texts = textsIn(chart)
    for (const name of names) assert.include(texts, name)
    const inherited: Array<string> = []
    for (const key in {}) inherited.push(key)
    assert.deepStrictEqual(inherited, [])
    assert.notProperty(Object, "prev")
  })

  it("has an axis of minutes for a line of a single minute, and of days for one of a single day", () => {
    const lineOf = (unit: "minute" | "day") =>
      bars(["now"], { kind: "line", x: { name: "time", labels: ["now"], times: [Date.UTC(2026, 0, 31, 9, 30)], unit } })
    assert.includeMembers([...textsIn(lineOf("minute"))], ["09:29", "09:30", "09:31"])
    assert.includeMembers([...textsIn(lineOf("day"))], ["31 Jan"])
    assert.notMatch(textsIn(lineOf("day")).join(), /\d:\d/)
  })

  it("draws a line with gaps and single points", () => {
    const line = bars(["a", "b", "c", "d"], { kind: "line", series: [{ name: "calls", values: [1, null, 3, null] }] })
    assert.isAbove(inkIn(pngOf(line), { left: 60, top: 60, right: 940, bottom: 480 }).length, 20)
    assert.notMatch(svgOf(line), /NaN|undefined/)
  })
})

describe("a number", () => {
  const calls: NumberChart = { kind: "number", title: "Calls per day", name: "calls", value: 64 }
  const trend = { period: "30 Jan", previous: 52, values: [40, null, 52, 64] }
  const heightIn = (chart: NumberChart) => Number(/viewBox="0 0 400 (\d+)"/.exec(svgOf(chart))?.[1])

  it("is a tile that takes less space than other charts", () => {
    assert.isBelow(heightIn(calls), heightIn({ ...calls, trend }))
    assert.isBelow(heightIn({ ...calls, trend }), size.height)
  })

  it("has the change against the period before, and a line of the periods below it", () => {
    const svg = svgOf({ ...calls, trend })
    assert.include(svgTexts(svg), "calls · +12 (+23 %) against 30 Jan")
    assert.notMatch(svg, /NaN|undefined/)
    const below = { left: 0, top: 300, right: size.width * size.scale, bottom: size.height * size.scale }
    assert.isAbove(inkIn(pngOf({ ...calls, trend }), below).length, 200)
    assert.deepStrictEqual(inkIn(pngOf(calls), below), [])
  })

  it("has room for its change beside it, in any size", () => {
    for (const [width, height] of [[400, 340], [280, 440], [1_600, 240]] as const) {
      const svg = new TextDecoder().decode(Either.getOrThrow(draw({ ...calls, trend }, "svg", { width, height })))
      assert.include(svgTexts(svg), "calls · +12 (+23 %) against 30 Jan")
    }
  })

  it("fits into its tile, however long it is", () => {
    const long = { ...calls, value: 123_456_789_012_345.67, name: "calls of every campaign of the year ".repeat(9) }
    const [left, right] = inkExtent(inkIn(pngOf(long), { left: 0, top: 0, right: 960, bottom: 600 }))
    assert.isAtLeast(left, 36)
    assert.isAtMost(right, 924)
  })
})

describe("colours", () => {
  const channel = (value: number) => value <= 0.03928 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4
  const luminance = (colour: string) => {
    const [red = 0, green = 0, blue = 0] = [1, 3, 5].map((at) => channel(parseInt(colour.slice(at, at + 2), 16) / 255))
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue
  }

  for (const colour of seriesColours) {
    it(`${colour} has a contrast of 3 to 1 against white`, () => {
      assert.isAtLeast(1.05 / (luminance(colour) + 0.05), 3)
    })
  }
})

describe("the labels of categories", () => {
  const fit = makeTextFit(makeAdvances())
  const long = ["Renewals of Maharashtra", "Renewals of Gujarat"]

  it("are horizontal when they fit, and on two lines when they fit so", () => {
    assert.deepStrictEqual(categoryLabels(long, 200, { fit, thin: false }), { texts: long, rotate: 0, step: 1 })
    assert.deepStrictEqual(categoryLabels(long, 100, { fit, thin: false }), {
      texts: ["Renewals of\nMaharashtra", "Renewals of\nGujarat"],
      rotate: 0,
      step: 1
    })
  })

  it("are rotated and truncated when they do not fit, and shown at every second bar when that is not enough", () => {
    const turned = categoryLabels(["Renewals of Maharashtra and Gujarat"], 30, { fit, thin: false })
    assert.deepInclude(turned, { rotate: 40, step: 1 })
    assert.match(turned.texts[0] ?? "", /^Renewals.*….*Gujarat$/)
    assert.strictEqual(categoryLabels(long, 10, { fit, thin: false }).step, 2)
  })

  it("are thinned under a line", () => {
    const { rotate, step } = categoryLabels(["00:00", "01:00"], 20, { fit, thin: true })
    assert.deepStrictEqual([rotate, step], [0, 3])
  })
})

describe("the labels of times", () => {
  const day = 86_400_000
  const noon = 20_484 * day + day / 2

  it("show the unit that changes along the axis", () => {
    assert.strictEqual(timeLabel(noon, day), "12:00")
    assert.strictEqual(timeLabel(noon - day / 2, day), "31 Jan")
    assert.strictEqual(timeLabel(noon - day / 2, 400 * day), "Jan 2026")
  })
})
