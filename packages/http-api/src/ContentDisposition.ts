/** What has no business in the name of a file: control characters, halves of characters, and what turns or parts lines. */
const unwanted = /[\p{Cc}\p{Cs}\p{Zl}\p{Zp}\p{Bidi_Control}/\\]/gu

/** What some clients take for more than it is in a plain name: other scripts, and percent-encoding (RFC 6266, D). */
const notPlain = /[^ -~]|%/gu

/** What `encodeURIComponent` leaves, and a parameter may not hold (RFC 8187, 3.2.1). */
const leftOver = /['()*]/g

const percentEncoded = (text: string): string =>
  encodeURIComponent(text).replaceAll(leftOver, (mark) => `%${mark.charCodeAt(0).toString(16).toUpperCase()}`)

/**
 * The `content-disposition` of a download under this name (RFC 6266). The name may be any text: it never breaks the
 * header, and never names a folder, because control characters and slashes become `_`. A name beyond ASCII is given
 * twice, for clients of all ages.
 */
export const attachment = (filename: string): string => {
  const name = filename.replaceAll(unwanted, "_")
  const plain = name.replaceAll(notPlain, "_")
  const extended = plain === name ? "" : `; filename*=UTF-8''${percentEncoded(name)}`
  return `attachment; filename="${plain.replaceAll("\"", "\\\"")}"${extended}`
}
