import { DocumentRefused, knowledgeLimits, passagesWithin, type ReadDocument } from "@trunkline/knowledge"
import { Either, Predicate } from "effect"
import { blocksOfLines, linesOf, type PdfItem, type PdfLine } from "./PdfLines.js"

const refuse = (message: string) => Either.left(new DocumentRefused({ message }))

/** Share of letters without a meaning from which on a text is of no use. */
const maxUnmapped = 0.3

/** Letters that a font draws without saying which they are, as NUL or in the private use area. */
const unmappedLetters = /[\0\ufffd\ue000-\uf8ff]/g

const scannedText =
  "The PDF has no text, only pictures: it was scanned. Recognize its text first, for instance with ocrmypdf, and upload the result"

const unreadable =
  "The fonts of the PDF do not tell which letters they draw, so its text cannot be read. Save it again from " +
  "its source, or recognize its text, for instance with ocrmypdf --force-ocr"

/** Message to the user about an error of the library. */
const openFault = (error: unknown): string => {
  const name = error instanceof Error ? error.name : ""
  return name === "PasswordException"
    ? "The PDF is encrypted with a password. Save it without one, and upload that"
    : "The PDF is damaged and cannot be read. Open it in a PDF viewer, save or print it to a new PDF, and upload that"
}

interface PdfPage {
  getTextContent(): Promise<{ readonly items: ReadonlyArray<unknown> }>
  cleanup(): unknown
}

interface PdfFile {
  readonly numPages: number
  getPage(number: number): Promise<PdfPage>
  getMetadata(): Promise<{ readonly info: unknown }>
}

const numberOf = (value: unknown): number => typeof value === "number" ? value : 0

const itemsOf = (items: ReadonlyArray<unknown>): ReadonlyArray<PdfItem> =>
  items.flatMap((item) => {
    if (!Predicate.hasProperty(item, "str") || typeof item.str !== "string") return []
    const transform: unknown = Reflect.get(item, "transform")
    return [{
      str: item.str,
      hasEOL: Reflect.get(item, "hasEOL") === true,
      height: numberOf(Reflect.get(item, "height")),
      y: Array.isArray(transform) ? numberOf(transform[5]) : 0
    }]
  })

const titleOfPdf = async (file: PdfFile): Promise<string | null> => {
  const { info } = await file.getMetadata()
  const title: unknown = Predicate.isRecord(info) ? info["Title"] : null
  return typeof title === "string" && /[\p{L}\p{N}]/u.test(title) ? title.replaceAll("\0", "") : null
}

/** Lines of all pages; a message when they exceed a bound. */
const linesOfPages = async (file: PdfFile): Promise<ReadonlyArray<PdfLine> | string> => {
  const { characters: most } = knowledgeLimits
  const lines: Array<PdfLine> = []
  let characters = 0
  for (let number = 1; number <= file.numPages; number++) {
    const page = await file.getPage(number)
    const { items } = await page.getTextContent()
    page.cleanup()
    for (const line of linesOf(itemsOf(items), number)) {
      characters += line.text.length
      lines.push(line)
    }
    if (characters > most) {
      return `The document has more than ${most} characters of text. Split it into smaller documents`
    }
  }
  return lines
}

const withoutUnmapped = (line: PdfLine): PdfLine => ({ ...line, text: line.text.replaceAll(unmappedLetters, " ") })

/** Reads the lines of an open PDF in passages. */
const readOpen = async (file: PdfFile, hash: string): Promise<Either.Either<ReadDocument, DocumentRefused>> => {
  const { numPages: pages } = file
  if (pages > knowledgeLimits.pages) {
    return refuse(`The PDF has ${pages} pages, more than ${knowledgeLimits.pages}. Split it into smaller documents`)
  }
  const lines = await linesOfPages(file)
  if (typeof lines === "string") return refuse(lines)
  const letters = lines.reduce((sum, { text }) => sum + text.replaceAll(/\s/g, "").length, 0)
  const unmappedCount = lines.reduce((sum, { text }) => sum + (text.match(unmappedLetters)?.length ?? 0), 0)
  if (letters === 0) return refuse(scannedText)
  if (unmappedCount > letters * maxUnmapped) return refuse(unreadable)
  const title = await titleOfPdf(file)
  return Either.map(passagesWithin(blocksOfLines(lines.map(withoutUnmapped), pages)), (passages) => ({
    kind: "pdf" as const,
    title,
    hash,
    pages,
    passages
  }))
}

/** Reads a PDF, without running its scripts. Loads `unpdf` with the first one. */
export const readPdf = async (
  bytes: Uint8Array,
  hash: string
): Promise<Either.Either<ReadDocument, DocumentRefused>> => {
  const { getDocumentProxy } = await import("unpdf")
  try {
    const file = await getDocumentProxy(bytes, { isEvalSupported: false, verbosity: 0 })
    return await readOpen(file, hash)
  } catch (error) {
    return refuse(openFault(error))
  }
}
