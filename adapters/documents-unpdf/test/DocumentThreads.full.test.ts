import { assert, describe, layer } from "@effect/vitest"
import { DocumentThreads } from "@trunkline/documents-unpdf"
import { DocumentReader } from "@trunkline/knowledge"
import { Effect } from "effect"
import { readFileSync } from "node:fs"
import { encryptedPdf, pdfOf } from "./Pdf.js"

const bytesOf = (text: string) => new TextEncoder().encode(text)

const read = (filename: string, bytes: Uint8Array, contentType: string | null = null) =>
  Effect.flatMap(DocumentReader, (reader) => reader.read({ filename, contentType, bytes }, null))

const refusal = (filename: string, bytes: Uint8Array, contentType: string | null = null) =>
  Effect.map(Effect.flip(read(filename, bytes, contentType)), ({ message }) => message)

const handbook = new Uint8Array(readFileSync(new URL("./files/handbook.pdf", import.meta.url)))

layer(DocumentThreads.layer())("documents", (it) => {
  describe("of PDF", () => {
    it.effect("that a browser has printed are read with title, headings and pages", () =>
      Effect.gen(function*() {
        const { kind, pages, passages, title } = yield* read("handbook.pdf", handbook)
        assert.deepStrictEqual({ kind, pages, title }, { kind: "pdf", pages: 2, title: "Shop handbook" })
        assert.deepStrictEqual(passages?.map(({ heading, page }) => [heading, page]), [
          ["Shop handbook", 1],
          ["Shop handbook > Returns", 1],
          ["Shop handbook > Returns > Exceptions", 1],
          ["Shop handbook > Delivery", 2],
          ["Shop handbook > Shops", 2]
        ])
        assert.include(passages?.[1]?.text, "Refunds are paid within five working days after the return was accepted")
      }))

    it.effect("lose the headers and footers that their pages share", () =>
      Effect.gen(function*() {
        const pages = Array.from({ length: 5 }, (_, page) => [
          { text: "Shop handbook 2026", size: 8 },
          { text: `Chapter ${page}`, size: 20 },
          { text: `This page is about subject ${"abcde"[page]}, of which it tells all.` },
          { text: `Page ${page + 1} of 5`, size: 8 }
        ])
        const { passages } = yield* read("long.pdf", pdfOf(pages))
        assert.deepStrictEqual(
          passages?.map(({ heading, text }) => [heading, text]),
          [..."abcde"].map((letter, page) => [
            `Chapter ${page}`,
            `This page is about subject ${letter}, of which it tells all.`
          ])
        )
      }))

    it.effect("that are encrypted, damaged, scanned or empty are refused with what to do", () =>
      Effect.gen(function*() {
        assert.include(yield* refusal("secret.pdf", encryptedPdf()), "encrypted with a password")
        assert.include(yield* refusal("scan.pdf", pdfOf([[], []])), "ocrmypdf")
        assert.include(yield* refusal("broken.pdf", bytesOf("%PDF-1.7\nnothing of a PDF")), "damaged")
        assert.include(yield* refusal("cut.pdf", handbook.slice(0, 900)), "damaged")
      }))

    it.effect("are known by their first bytes, whatever their name", () =>
      Effect.gen(function*() {
        assert.strictEqual((yield* read("handbook.txt", handbook, "text/plain")).kind, "pdf")
      }))
  })

  describe("of HTML", () => {
    it.effect("are read as people see them", () =>
      Effect.gen(function*() {
        const source = `<!doctype html><title>Shop &amp; more</title><style>p { color: red }</style>
          <script>document.write("evil")</script><nav><a href="/">Home</a></nav>
          <h1>Returns</h1><p>Within <b>30&nbsp;days</b><br>of delivery.</p>
          <p hidden>Not yet</p><div style="display: none">Nor this</div>
          <h2>Prices</h2><table><tr><th>Piano</th><td>2,400</td></tr></table><p>Unclosed <i>end`
        const { passages, title } = yield* read("returns.html", bytesOf(source))
        assert.strictEqual(title, "Shop & more")
        assert.deepStrictEqual(passages?.map(({ heading, text }) => [heading, text]), [
          ["Returns", "Within 30\u00a0days of delivery."],
          ["Returns > Prices", "Piano 2,400\nUnclosed end"]
        ])
      }))

    it.effect("are decoded by the encoding that they declare", () =>
      Effect.gen(function*() {
        const source = `<meta charset="windows-1252"><p>Caf\xe9 cr\xe8me`
        const { passages } = yield* read("cafe.html", Buffer.from(source, "latin1"))
        assert.strictEqual(passages?.[0]?.text, "Café crème")
      }))
  })

  describe("of other kinds", () => {
    it.effect("are texts and Markdown in UTF-8 or UTF-16, else refused", () =>
      Effect.gen(function*() {
        const markdown = yield* read("shop.md", bytesOf("# Shop\n\nOpen *daily*."), "application/octet-stream")
        assert.deepStrictEqual([markdown.kind, markdown.title, markdown.passages?.[0]?.text], [
          "markdown",
          "Shop",
          "Open daily."
        ])
        const utf16 = Buffer.from("\ufeffनमस्ते", "utf16le")
        assert.strictEqual((yield* read("a.txt", utf16)).passages?.[0]?.text, "नमस्ते")
        assert.include(yield* refusal("a.txt", Buffer.from("Caf\xe9", "latin1")), "UTF-8")
        assert.include(yield* refusal("a.docx", bytesOf("PK\u0003\u0004and more")), "Office")
        assert.include(yield* refusal("a.txt", bytesOf("binary\0data")), "binary")
        assert.include(yield* refusal("empty.md", bytesOf(" \n\n--")), "no text")
      }))

    it.effect("are not read again when they have not changed", () =>
      Effect.gen(function*() {
        const reader = yield* DocumentReader
        const file = { filename: "a.txt", contentType: null, bytes: bytesOf("Text") }
        const { hash } = yield* reader.read(file, null)
        assert.isNull((yield* reader.read(file, hash)).passages)
      }))
  })
})

layer(DocumentThreads.layer({ isInstalled: () => false }))("without the package for PDFs", (it) => {
  it.effect("a PDF is refused with what to install, and others are read", () =>
    Effect.gen(function*() {
      assert.include(yield* refusal("handbook.pdf", handbook), "npm i unpdf")
      assert.strictEqual((yield* read("a.txt", bytesOf("Text"))).kind, "text")
    }))
})
