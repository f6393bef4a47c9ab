import type { DocumentKind } from "../records/KnowledgeDocument.js"
import type { DocumentFile } from "./DocumentFile.js"

const kindsByType: Readonly<Record<string, DocumentKind>> = {
  "application/pdf": "pdf",
  "text/html": "html",
  "application/xhtml+xml": "html",
  "text/markdown": "markdown",
  "text/plain": "text"
}

const kindsByExtension: Readonly<Record<string, DocumentKind>> = {
  pdf: "pdf",
  html: "html",
  htm: "html",
  xhtml: "html",
  md: "markdown",
  markdown: "markdown",
  txt: "text",
  text: "text"
}

/** Signatures of binary files: ZIP with all of Office, old Office, RTF, images, gzip. */
const foreignKinds: ReadonlyArray<readonly [start: string, name: string]> = [
  ["PK\u0003\u0004", "a ZIP archive or an Office document"],
  ["\u00d0\u00cf\u0011\u00e0", "an old Office document"],
  ["{\\rtf", "RTF"],
  ["\u0089PNG", "an image"],
  ["\u00ff\u00d8\u00ff", "an image"],
  ["GIF8", "an image"],
  ["\u001f\u008b", "a compressed file"]
]

const startOf = (bytes: Uint8Array, length: number): string => String.fromCharCode(...bytes.subarray(0, length))

const entryOf = <A>(table: Readonly<Record<string, A>>, key: string): A | undefined =>
  Object.hasOwn(table, key) ? table[key] : undefined

/** The encoding that a content type declares; null without one. */
export const charsetOf = (contentType: string | null): string | null =>
  /charset\s*=\s*"?([\w:.-]+)/i.exec(contentType ?? "")?.[1]?.toLowerCase() ?? null

/** Kind of a file that cannot be read, by its first bytes; null for others. */
export const foreignKind = ({ bytes }: DocumentFile): string | null =>
  foreignKinds.find(([start]) => startOf(bytes, start.length) === start)?.[1] ?? null

const pdfMark = "%PDF-"

/** Kind of a file: PDF by its first bytes, else by its content type, then by its extension, else plain text. */
export const kindOf = ({ bytes, contentType, filename }: DocumentFile): DocumentKind => {
  if (startOf(bytes, pdfMark.length) === pdfMark) return "pdf"
  const extension = /\.([a-z]+)$/i.exec(filename ?? "")?.[1]?.toLowerCase() ?? ""
  const type = contentType?.split(";")[0]?.trim().toLowerCase() ?? ""
  const byExtension = entryOf(kindsByExtension, extension)
  // Browsers and curl send Markdown as plain text or as unknown bytes.
  return type === "text/plain" ? byExtension ?? "text" : entryOf(kindsByType, type) ?? byExtension ?? "text"
}
