import { HttpServerResponse } from "@effect/platform"
import type { Stream } from "effect"

/** Characters that file names must not contain: control characters, lone surrogates, line separators, bidi marks, slashes. */
const unsafeCharacters = /[\p{Cc}\p{Cs}\p{Zl}\p{Zp}\p{Bidi_Control}/\\]/gu

/** Characters that some clients misread in `filename`: those beyond ASCII, and percent signs (RFC 6266, appendix D). */
const ambiguousCharacters = /[^ -~]|%/gu

/** Characters that `encodeURIComponent` leaves, but `filename*` must not contain (RFC 8187, section 3.2.1). */
const unencodedCharacters = /['()*]/g

const percentEncode = (text: string): string =>
  encodeURIComponent(text).replaceAll(
    unencodedCharacters,
    (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`
  )

/**
 * Renders the `content-disposition` header of a download (RFC 6266). Any text is a safe name: control characters and
 * slashes become `_`, so it neither breaks the header nor names a folder. A name beyond ASCII is also sent as
 * `filename*`, beside a replacement for old clients.
 */
export const attachment = (filename: string): string => {
  const name = filename.replaceAll(unsafeCharacters, "_")
  const plain = name.replaceAll(ambiguousCharacters, "_")
  const extendedText = plain === name ? "" : `; filename*=UTF-8''${percentEncode(name)}`
  return `attachment; filename="${plain.replaceAll("\"", "\\\"")}"${extendedText}`
}

/** A file to send. */
interface FileContent<E> {
  readonly bytes: Stream.Stream<Uint8Array, E>
  readonly contentType: string
  /** In bytes; when undefined, the response is chunked. */
  readonly size?: number | undefined
  /** Name under which browsers save the file; without it they may display it. */
  readonly filename?: string
}

/** Streams a file, and forbids clients to guess another content type. */
export const fileResponse = <E>({ bytes, contentType, filename, size }: FileContent<E>) =>
  HttpServerResponse.stream(bytes, {
    contentType,
    ...(size !== undefined && { contentLength: size }),
    headers: {
      ...(filename !== undefined && { "content-disposition": attachment(filename) }),
      "x-content-type-options": "nosniff"
    }
  })
