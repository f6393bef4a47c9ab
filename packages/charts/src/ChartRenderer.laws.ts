import { assert, layer } from "@effect/vitest"
import { Effect, FastCheck, type Layer } from "effect"
import { ChartRenderer } from "./ChartRenderer.js"
import type { Picture, Value } from "./Picture.js"
import { escapeXml } from "./PlainText.js"
import { faultsOfSvg, textsOfSvg } from "./SvgFaults.js"

/** What is peculiar to a renderer that the laws look at. */
export interface ChartRendererLaws {
  /** The size of a PNG, in pixels. */
  readonly png: { readonly width: number; readonly height: number }
  /** How many random tables are drawn; 60 when absent. */
  readonly tables?: number
}

const bars = (change: Partial<Picture> = {}): Picture => ({
  title: "Calls by language",
  viz_type: "bar",
  viz_config: { x_axis: "language", y_axis: ["connected", "missed"] },
  table: {
    columns: [{ name: "language" }, { name: "connected" }, { name: "missed" }],
    rows: [["Hindi & Urdu", 12, 3], ["<Tamil>", "8.5", null], ["\"Kannada\"", 1, 0]]
  },
  ...change
})

const number = (change: Partial<Picture> = {}): Picture => ({
  title: "Calls today",
  viz_type: "number",
  viz_config: {},
  table: { columns: [{ name: "calls" }], rows: [[1_234_567]] },
  ...change
})

/** Titles and labels that break files, or the drawing of them, where somebody was careless. */
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

const render = (picture: Picture, format: "svg" | "png") =>
  Effect.flatMap(ChartRenderer, (renderer) => renderer.render(picture, format))

const svgOf = (picture: Picture) => Effect.map(render(picture, "svg"), (bytes) => new TextDecoder().decode(bytes))

/** Whether there is a sound file, or what kind of no picture; a defect is neither and fails the test. */
const outcome = (picture: Picture, format: "svg" | "png") =>
  Effect.map(Effect.either(render(picture, format)), (result) => {
    if (result._tag === "Left") return result.left.kind
    if (format === "svg") assert.deepStrictEqual(faultsOfSvg(new TextDecoder().decode(result.right)), [])
    else assert.deepStrictEqual(Array.from(result.right.subarray(0, 8)), signature)
    return "drawn"
  })

const values: FastCheck.Arbitrary<Value> = FastCheck.oneof(
  FastCheck.constantFrom<Value>(null, true, "2026-01-31", "2026-01-31T12:00:00.000Z", "2026-02", "12.5", "", "कॉल"),
  FastCheck.integer(),
  FastCheck.double(),
  FastCheck.string({ unit: "binary", maxLength: 20 })
)

const pictures: FastCheck.Arbitrary<Picture> = FastCheck.record({
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

/** The laws of `ChartRenderer`. */
export const chartRendererLaws = <E>(name: string, live: Layer.Layer<ChartRenderer, E>, terms: ChartRendererLaws) =>
  layer(live, { excludeTestServices: true })(`ChartRenderer laws: ${name}`, (it) => {
    it.effect("an SVG is well-formed, stands alone, and has every text escaped", () =>
      Effect.gen(function*() {
        const svg = yield* svgOf(bars({ title: "Calls <by> \"language\"" }))
        assert.deepStrictEqual(faultsOfSvg(svg), [])
        const texts = textsOfSvg(svg)
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

    it.effect("a number is drawn in full, grouped as in India, with its name", () =>
      Effect.gen(function*() {
        const texts = textsOfSvg(yield* svgOf(number()))
        for (const text of ["Calls today", "calls", "12,34,567"]) assert.include(texts, text)
      }))

    it.effect("a PNG has its signature and its size", () =>
      Effect.gen(function*() {
        for (const picture of [bars(), number(), bars({ viz_type: "line" })]) {
          const bytes = yield* render(picture, "png")
          assert.deepStrictEqual(Array.from(bytes.subarray(0, 8)), signature)
          const view = new DataView(bytes.buffer, bytes.byteOffset)
          assert.deepStrictEqual({ width: view.getUint32(16), height: view.getUint32(20) }, terms.png)
        }
      }))

    it.effect("the same picture is the same bytes, whatever was drawn in between", () =>
      Effect.gen(function*() {
        for (const format of ["svg", "png"] as const) {
          const first = yield* render(bars(), format)
          yield* render(number(), format)
          yield* render(bars({ viz_type: "line", title: "Another" }), format)
          assert.deepStrictEqual(yield* render(bars(), format), first)
        }
      }))

    it.effect("charts at the same time do not mix", () =>
      Effect.gen(function*() {
        const titles = Array.from({ length: 8 }, (_, each) => `Title ${each}`)
        const svgs = yield* Effect.forEach(titles, (title) => svgOf(bars({ title })), { concurrency: "unbounded" })
        assert.deepStrictEqual(
          svgs.map((svg) => titles.filter((title) => textsOfSvg(svg).includes(title))),
          titles.map((title) => [title])
        )
      }))

    it.effect("many who ask for the same picture at the same time all have it", () =>
      Effect.gen(function*() {
        const drawn = yield* Effect.all(Array.from({ length: 60 }, () => render(bars({ title: "Same" }), "svg")), {
          concurrency: "unbounded"
        })
        for (const bytes of drawn) assert.deepStrictEqual(bytes, drawn[0])
      }))

    it.effect("what a chart leaves out is written in it", () =>
      Effect.gen(function*() {
        const rows = [["Hindi", 12, 1], ["Tamil", "many", 1e19], ["Odia", null, true]] as const
        const svg = yield* svgOf(bars({ table: { columns: bars().table.columns, rows } }))
        assert.include(textsOfSvg(svg), "3 values could not be drawn")
      }))

    it.effect("hostile texts are drawn safely or refused, wherever they stand", () =>
      Effect.gen(function*() {
        for (const text of hostile) {
          const everywhere = bars({
            title: text,
            viz_config: { x_axis: `x ${text}`, y_axis: [`y ${text}`] },
            table: { columns: [{ name: `x ${text}` }, { name: `y ${text}` }], rows: [[text, 1], [text, 2]] }
          })
          const asNumber = number({ title: text, table: { columns: [{ name: text }], rows: [[1]] } })
          for (const picture of [bars({ title: text }), asNumber, everywhere]) {
            assert.strictEqual(yield* outcome(picture, "svg"), "drawn")
            assert.notStrictEqual(yield* outcome(picture, "png"), "unavailable")
          }
        }
      }))

    it.effect("what is no chart is refused as unsuitable, with a reason", () =>
      Effect.gen(function*() {
        const refused = [
          bars({ viz_type: "table" }),
          bars({ viz_config: { x_axis: "region", y_axis: ["connected"] } }),
          bars({ table: { columns: bars().table.columns, rows: [] } }),
          number({ table: { columns: [{ name: "calls" }], rows: [["many"]] } })
        ]
        for (const picture of refused) {
          for (const format of ["svg", "png"] as const) {
            const failure = yield* Effect.flip(render(picture, format))
            assert.strictEqual(failure.kind, "unsuitable")
            assert.notStrictEqual(failure.message, "")
          }
        }
      }))

    it.effect.prop(
      "no table breaks it: there is a picture, or it is unsuitable",
      [pictures],
      ([picture]) =>
        Effect.gen(function*() {
          for (const format of ["svg", "png"] as const) {
            assert.notStrictEqual(yield* outcome(picture, format), "unavailable")
          }
        }),
      { fastCheck: { numRuns: terms.tables ?? 60 } }
    )
  })
