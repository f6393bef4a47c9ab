import { HttpServerResponse } from "@effect/platform"

const encoder = new TextEncoder()

const beyondAscii = /[^\0-\x7f]/

/** Response with a JSON text. Text in ASCII stays a string, which servers write together with the headers. */
export const jsonResponse = (text: string, status = 200): HttpServerResponse.HttpServerResponse =>
  beyondAscii.test(text)
    ? HttpServerResponse.uint8Array(encoder.encode(text), { status, contentType: "application/json" })
    : HttpServerResponse.raw(text, { status, contentType: "application/json", contentLength: text.length })
