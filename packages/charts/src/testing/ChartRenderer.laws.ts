import { assert, layer } from "@effect/vitest"
import { Effect, FastCheck, type Layer } from "effect"
import type { ChartRequest, Value } from "../Chart.js"
import { ChartRenderer } from "../ChartRenderer.js"
import { escapeXml } from "../Format.js"
import { barRequest, numberRequest } from "./ChartRequests.js"
import { svgFaults, svgTexts } from "./SvgFaults.js"

/** Settings of `chartRendererLaws`. */
export interface ChartRendererLawsOptions {
  /** Size of a rendered PNG, in pixels. */
  readonly png: { readonly width: number; readonly height: number }
  /** Number of random tables to render; default 60. */
  readonly tables?: number
}

/** Titles and labels that break files or layouts of a careless renderer. */
const hostile = [
  "<script>alert(1)</script>",
  "]]> <![CDATA[ -->",
  "\" onload=\"x\" '",
  "{name|rich} {value} %s ${title}",
  "&amp;&#0;&bogus;",
  "line one\nline two\ttab",
  "nul \u0000 bell \u0007 escape \u001B[31m delete \u007F",
  "half \uD83D and \uDCDE of a character \uFFFE",
  "turned \u202E round \u2066 here",
  "word".repeat(5_000),
  "a ".repeat(5_000),
  `e${"\u0301".repeat(3_000)}`,
  "calls 📞 👨‍👩‍👧 🇮🇳",
  "اردو اور English",
  "",
  "   ",
  "__proto__",
  "constructor",
  "toString"
]

const signature = [137, 80, 78, 71, 13, 10, 26, 10]

const render = (request: ChartRequest, format: "svg" | "png") =>
  Effect.flatMap(ChartRenderer, (renderer) => renderer.render(request, format))

const svgOf = (request: ChartRequest) => Effect.map(render(request, "svg"), (bytes) => new TextDecoder().decode(bytes))

/** Renders a request and returns `drawn` after checking the file, or the kind of error. A defect fails the test. */
const outcome = (request: ChartRequest, format: "svg" | "png") =>
  Effect.map(Effect.either(render(request, format)), (result) => {
    if (result._tag === "Left") return result.left.kind
    if (format === "svg") assert.deepStrictEqual(svgFaults(new TextDecoder().decode(result.right)), [])
    else assert.deepStrictEqual(Array.from(result.right.subarray(0, 8)), signature)
    return "drawn"
  })

const values: FastCheck.Arbitrary<Value> = FastCheck.oneof(
  FastCheck.constantFrom<Value>(null, true, "2026-01-31", "2026-01-31T12:00:00.000Z", "2026-02", "12.5", "", "कॉल"),
  FastCheck.integer(),
  FastCheck.double(),
  FastCheck.string({ unit: "binary", maxLength: 20 })
)

const requests: FastCheck.Arbitrary<ChartRequest> = FastCheck.record({
  title: FastCheck.oneof(FastCheck.string({ unit: "binary", maxLength: 300 }), FastCheck.constantFrom(...hostile)),
  viz_type: FastCheck.constantFrom("number", "table", "bar", "line"),
  viz_config: FastCheck.record({
    x_axis: FastCheck.constantFrom<unknown>("a", "B", "missing", 7, null),
    y_axis: FastCheck.oneof(
      FastCheck.array(FastCheck.constantFrom("a", "b", "c", "missing"), { maxLength: 3 }),
      FastCheck.constantFrom<unknown>("b", null, {})
    ),
    value_column: FastCheck.constantFrom<unknown>("b", "missing", undefined, 3)
  }, { requiredKeys: [] }),
  table: FastCheck.record({
    columns: FastCheck.constantFrom(
      [{ name: "a" }, { name: "b" }, { name: "c" }],
      [{ name: "a" }, { name: "b" }, { name: "b" }],
      []
    ),
    rows: FastCheck.array(FastCheck.array(values, { maxLength: 3 }), { maxLength: 90 })
  })
})

/** Laws of `ChartRenderer`. */
export const chartRendererLaws = <E>(
  name: string,
  live: Layer.Layer<ChartRenderer, E>,
  options: ChartRendererLawsOptions
) =>
  layer(live, { excludeTestServices: true })(`ChartRenderer laws: ${name}`, (it) => {
    it.effect("renders a well-formed, self-contained SVG with every text escaped", () =>
      Effect.gen(function*() {
        const svg = yield* svgOf(barRequest({ title: "Calls <by> \"language\"" }))
        assert.deepStrictEqual(svgFaults(svg), [])
        const texts = svgTexts(svg)
        for (
          const text of [
            "Calls <by> \"language\"",
            "language",
            "connected",
            "missed",
            "Hindi & Urdu",
            "<Tamil>",
            "\"Kannada\""
          ]
        ) {
          assert.include(texts, escapeXml(text))
        }
      }))

    it.effect("draws a number in full with Indian grouping and its name", () =>
      Effect.gen(function*() {
        const texts = svgTexts(yield* svgOf(numberRequest()))
        for (const text of ["Calls today", "calls", "12,34,567"]) assert.include(texts, text)
      }))

    it.effect("renders a PNG with a valid signature and the expected size", () =>
      Effect.gen(function*() {
        for (const request of [barRequest(), numberRequest(), barRequest({ viz_type: "line" })]) {
          const bytes = yield* render(request, "png")
          assert.deepStrictEqual(Array.from(bytes.subarray(0, 8)), signature)
          const view = new DataView(bytes.buffer, bytes.byteOffset)
          assert.deepStrictEqual({ width: view.getUint32(16), height: view.getUint32(20) }, options.png)
        }
      }))

    it.effect("renders every kind of chart in the size that is asked, and in its own again after that", () =>
      Effect.gen(function*() {
        const renderer = yield* ChartRenderer
        for (const request of [barRequest(), numberRequest(), barRequest({ viz_type: "line" })]) {
          const before = yield* svgOf(request)
          for (const [width, height] of [[342, 260], [1_200, 300]] as const) {
            const svg = new TextDecoder().decode(yield* renderer.render(request, "svg", { width, height }))
            assert.deepStrictEqual(svgFaults(svg), [])
            assert.match(svg, new RegExp(`^<svg(?=[^>]* width="${width}")(?=[^>]* height="${height}")`))
          }
          assert.strictEqual(yield* svgOf(request), before)
        }
      }))

    it.effect("renders the same request to the same bytes regardless of other renders", () =>
      Effect.gen(function*() {
        for (const format of ["svg", "png"] as const) {
          const first = yield* render(barRequest(), format)
          yield* render(numberRequest(), format)
          yield* render(barRequest({ viz_type: "line", title: "Another" }), format)
          assert.deepStrictEqual(yield* render(barRequest(), format), first)
        }
      }))

    it.effect("keeps concurrent charts separate", () =>
      Effect.gen(function*() {
        const titles = Array.from({ length: 8 }, (_, each) => `Title ${each}`)
        const svgs = yield* Effect.forEach(titles, (title) => svgOf(barRequest({ title })), {
          concurrency: "unbounded"
        })
        assert.deepStrictEqual(
          svgs.map((svg) => titles.filter((title) => svgTexts(svg).includes(title))),
          titles.map((title) => [title])
        )
      }))

    it.effect("serves many concurrent requests for the same chart", () =>
      Effect.gen(function*() {
        const images = yield* Effect.all(
          Array.from({ length: 60 }, () => render(barRequest({ title: "Same" }), "svg")),
          {
            concurrency: "unbounded"
          }
        )
        for (const bytes of images) assert.deepStrictEqual(bytes, images[0])
      }))

    it.effect("states in the chart what it leaves out", () =>
      Effect.gen(function*() {
        const rows = [["Hindi", 12, 1], ["Tamil", "many", 1e19], ["Odia", null, true]] as const
        const svg = yield* svgOf(barRequest({ table: { columns: barRequest().table.columns, rows } }))
        assert.include(svgTexts(svg), "3 values could not be drawn")
      }))

    it.effect("draws or rejects hostile texts safely in every position", () =>
      Effect.gen(function*() {
        for (const text of hostile) {
          const everywhere = barRequest({
            title: text,
            viz_config: { x_axis: `x ${text}`, y_axis: [`y ${text}`] },
            table: { columns: [{ name: `x ${text}` }, { name: `y ${text}` }], rows: [[text, 1], [text, 2]] }
          })
          const asNumber = numberRequest({ title: text, table: { columns: [{ name: text }], rows: [[1]] } })
          for (const request of [barRequest({ title: text }), asNumber, everywhere]) {
            assert.strictEqual(yield* outcome(request, "svg"), "drawn")
            assert.notStrictEqual(yield* outcome(request, "png"), "unavailable")
          }
        }
      }))

    it.effect("draws a result without rows or values as a picture that says so", () =>
      Effect.gen(function*() {
        for (const viz_type of ["bar", "line", "number"] as const) {
          const base = viz_type === "number" ? numberRequest() : barRequest({ viz_type })
          for (const [rows, message] of [[[], "The result has no rows"], [[[]], "The result has no values"]] as const) {
            const request = { ...base, title: "Calls & <none>", table: { columns: base.table.columns, rows } }
            const svg = yield* svgOf(request)
            assert.deepStrictEqual(svgFaults(svg), [])
            assert.includeMembers([...svgTexts(svg)], [escapeXml("Calls & <none>"), message])
            assert.deepStrictEqual(Array.from((yield* render(request, "png")).subarray(0, 8)), signature)
          }
        }
      }))

    it.effect("rejects a request that makes no chart as unsuitable, with a message", () =>
      Effect.gen(function*() {
        const unsuitable = [
          barRequest({ viz_type: "table" }),
          barRequest({ viz_config: { x_axis: "region", y_axis: ["connected"] } }),
          numberRequest({ table: { columns: [{ name: "calls" }], rows: [["many"]] } })
        ]
        for (const request of unsuitable) {
          for (const format of ["svg", "png"] as const) {
            const failure = yield* Effect.flip(render(request, format))
            assert.strictEqual(failure.kind, "unsuitable")
            assert.notStrictEqual(failure.message, "")
          }
        }
      }))

    it.effect.prop(
      "renders any table or rejects it as unsuitable",
      [requests],
      ([request]) =>
        Effect.gen(function*() {
          for (const format of ["svg", "png"] as const) {
            assert.notStrictEqual(yield* outcome(request, format), "unavailable")
          }
        }),
      { fastCheck: { numRuns: options.tables ?? 60 } }
    )
  })
