import { HttpServerResponse } from "@effect/platform"
import type { Recording } from "@trunkline/analytics"
import { fileResponse } from "./FileResponse.js"

/** Range of bytes that a request asks for: `to` is exclusive. `whole`: none that is understood; `beyond`: none that exists. */
type Requested = { readonly from: number; readonly to: number } | "whole" | "beyond"

/**
 * Reads a header `range` (RFC 9110, section 14.2) for a file of a size. Several ranges, other units and mistakes ask for the
 * whole, which servers may always send.
 */
export const requestedRange = (header: string | undefined, size: number): Requested => {
  const [, first, last] = /^bytes=(\d{0,15})-(\d{0,15})$/i.exec((header ?? "").replaceAll(/[ \t]/g, "")) ?? []
  if (first === undefined || last === undefined || first + last === "") return "whole"
  if (first === "") {
    const length = Math.min(size, Number(last))
    return length === 0 ? "beyond" : { from: size - length, to: size }
  }
  const from = Number(first)
  if (last !== "" && Number(last) < from) return "whole"
  return from >= size ? "beyond" : { from, to: last === "" ? size : Math.min(size, Number(last) + 1) }
}

/**
 * Streams a sound: 200 for the whole, 206 for a range, and 416 for one that does not exist. A request with `if-range` means one
 * version of the file; versions have no names here, so it gets the whole.
 */
export const rangeResponse = (
  { bytes, read, size }: Recording,
  contentType: string,
  headers: Readonly<Record<string, string | undefined>>
): HttpServerResponse.HttpServerResponse => {
  const range = headers["if-range"] === undefined ? requestedRange(headers["range"], size) : "whole"
  if (range === "beyond") {
    return HttpServerResponse.empty({
      status: 416,
      headers: { "accept-ranges": "bytes", "content-range": `bytes */${size}` }
    })
  }
  if (range === "whole") {
    return HttpServerResponse.setHeader(fileResponse({ bytes, contentType, size }), "accept-ranges", "bytes")
  }
  return fileResponse({ bytes: read(range), contentType, size: range.to - range.from }).pipe(
    HttpServerResponse.setHeaders({
      "accept-ranges": "bytes",
      "content-range": `bytes ${range.from}-${range.to - 1}/${size}`
    }),
    HttpServerResponse.setStatus(206)
  )
}
