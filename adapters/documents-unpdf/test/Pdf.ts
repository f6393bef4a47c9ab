import { deflateSync } from "node:zlib"

/** A line of a page: its text, and the size of its letters in points. */
export interface Line {
  readonly text: string
  readonly size?: number
}

const latin = (text: string): Buffer => Buffer.from(text, "latin1")

const streamOf = (content: Buffer, entries = ""): Buffer =>
  Buffer.concat([latin(`<< /Length ${content.length}${entries} >>\nstream\n`), content, latin("\nendstream")])

const pageContent = (lines: ReadonlyArray<Line>): Buffer => {
  let y = 780
  const drawn = lines.map(({ size = 12, text }) => {
    y -= size * 2.2
    return `BT /F1 ${size} Tf 60 ${y.toFixed(1)} Td (${text.replaceAll(/[()\\]/g, "\\$&")}) Tj ET`
  })
  return latin(drawn.join("\n"))
}

/** Writes the objects of a PDF, numbered from 1, and its table of them. The first is the catalog. */
const fileOf = (objects: ReadonlyArray<Buffer>, trailer = ""): Uint8Array => {
  const parts = [latin("%PDF-1.7\n")]
  const offsets: Array<number> = []
  for (const [index, object] of objects.entries()) {
    offsets.push(parts.reduce((sum, part) => sum + part.length, 0))
    parts.push(latin(`${index + 1} 0 obj\n`), object, latin("\nendobj\n"))
  }
  const start = parts.reduce((sum, part) => sum + part.length, 0)
  const rows = offsets.map((offset) => `${String(offset).padStart(10, "0")} 00000 n \n`).join("")
  parts.push(latin(
    `xref\n0 ${objects.length + 1}\n0000000000 65535 f \n${rows}`
      + `trailer\n<< /Size ${objects.length + 1} /Root 1 0 R ${trailer} >>\nstartxref\n${start}\n%%EOF\n`
  ))
  return new Uint8Array(Buffer.concat(parts))
}

const font = latin("<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica /Encoding /WinAnsiEncoding >>")

/** Objects of a PDF whose pages have these contents, each a stream. */
const objectsOf = (contents: ReadonlyArray<Buffer>): ReadonlyArray<Buffer> => {
  const first = 4
  const kids = contents.map((_, index) => `${first + index * 2} 0 R`).join(" ")
  return [
    latin("<< /Type /Catalog /Pages 2 0 R >>"),
    latin(`<< /Type /Pages /Count ${contents.length} /Kids [${kids}] >>`),
    font,
    ...contents.flatMap((content, index) => [
      latin(
        "<< /Type /Page /Parent 2 0 R /MediaBox [0 0 595 842] /Resources << /Font << /F1 3 0 R >> >> "
          + `/Contents ${first + index * 2 + 1} 0 R >>`
      ),
      content
    ])
  ]
}

/** A PDF with a page for each list of lines. */
export const pdfOf = (pages: ReadonlyArray<ReadonlyArray<Line>>): Uint8Array =>
  fileOf(objectsOf(pages.map((lines) => streamOf(pageContent(lines)))))

/** A PDF that nobody can open without its password. */
export const encryptedPdf = (): Uint8Array => {
  const key = "ab".repeat(32)
  return fileOf(
    objectsOf([streamOf(pageContent([{ text: "Secret" }]))]),
    `/ID [<${"00".repeat(16)}> <${
      "00".repeat(16)
    }>] /Encrypt << /Filter /Standard /V 1 /R 2 /O <${key}> /U <${key}> /P -4 >>`
  )
}

/** A PDF of some kilobytes whose page has some megabytes of content. */
export const inflatingPdf = (megabytes: number): Uint8Array =>
  fileOf(objectsOf([streamOf(deflateSync(Buffer.alloc(megabytes * 2 ** 20, " ")), " /Filter /FlateDecode")]))
