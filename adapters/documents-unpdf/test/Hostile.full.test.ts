import { assert, describe, it } from "@effect/vitest"
import { DocumentThreads } from "@trunkline/documents-unpdf"
import { DocumentReader } from "@trunkline/knowledge"
import { Effect } from "effect"
import { inflatingPdf, pdfOf } from "./Pdf.js"

const refusal = (bytes: Uint8Array) =>
  Effect.flatMap(DocumentReader, (reader) =>
    Effect.map(
      Effect.flip(reader.read({ filename: "hostile.pdf", contentType: null, bytes }, null)),
      ({ message }) => message
    ))

const page = (text: string) => ({
  filename: "hostile.html",
  contentType: "text/html",
  bytes: new TextEncoder().encode(text)
})

const live = DocumentThreads.layer({ megabytes: 200 })

describe("hostile documents", () => {
  it.live("that unfold to gigabytes are given up, and the next one is read", () =>
    Effect.gen(function*() {
      const bytes = inflatingPdf(1_000)
      assert.isBelow(bytes.length, 2_000_000)
      assert.include(yield* refusal(bytes), "memory")
      const reader = yield* DocumentReader
      const file = { filename: "a.pdf", contentType: null, bytes: pdfOf([[{ text: "A plain page" }]]) }
      assert.strictEqual((yield* reader.read(file, null)).passages?.[0]?.text, "A plain page")
    }).pipe(Effect.provide(live)))

  it.live("with too many pages are refused by their number", () =>
    Effect.gen(function*() {
      assert.include(yield* refusal(pdfOf(Array.from({ length: 2_001 }, () => [{ text: "Page" }]))), "2001 pages")
    }).pipe(Effect.provide(live)))

  it.live("with elements in elements without end are refused at once", () =>
    Effect.gen(function*() {
      const reader = yield* DocumentReader
      const messageOf = (text: string) =>
        Effect.map(Effect.flip(reader.read(page(text), null)), ({ message }) => message)
      const nested = `${"<div>".repeat(200_000)}text${"</div>".repeat(200_000)}`
      assert.include(yield* messageOf(nested), "more than 5,000 deep")
      assert.include(
        yield* messageOf(`${"<div>".repeat(4_000)}${"<p></x>".repeat(2_000_000)}`),
        "end tags that close nothing"
      )
      const broken = `<p>text${"</x>".repeat(100_000)}${"<i>more ".repeat(4_000)}`
      assert.match((yield* reader.read(page(broken), null)).passages?.[0]?.text ?? "", /^text ?more/)
    }).pipe(Effect.provide(DocumentThreads.layer({ timeout: "10 seconds" }))))
})
