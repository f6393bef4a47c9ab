import { Either, Encoding } from "effect"
import type { ContentPart } from "./Message.js"

/** An image part of a message. */
export type ImagePart = Extract<ContentPart, { readonly type: "image" }>

/** Magic bytes of each image type; null stands for any byte. */
const beginnings: Readonly<Record<string, ReadonlyArray<number | null>>> = {
  // W3C, Portable Network Graphics, 5.2
  "image/png": [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a],
  // ITU-T T.81, annex B: the start of an image, then another marker
  "image/jpeg": [0xff, 0xd8, 0xff],
  // GIF89a, 17: "GIF8", for both of its versions
  "image/gif": [0x47, 0x49, 0x46, 0x38],
  // RFC 9649, 2.4: "RIFF", a length, "WEBP"
  "image/webp": [0x52, 0x49, 0x46, 0x46, null, null, null, null, 0x57, 0x45, 0x42, 0x50]
}

const kinds = Object.keys(beginnings)

const kindNames = kinds.map((kind) => kind.replace("image/", "")).join(", ")

/** Aliases of media types. */
const otherNames: Readonly<Record<string, string>> = { "image/jpg": "image/jpeg", "image/pjpeg": "image/jpeg" }

/** Base64 characters that cover the longest magic bytes. */
const enoughToTell = 16

/** Longest header before the comma, in UTF-16 units; usual ones have 30. */
const maxHeaderLength = 256

const notInline = "Images must be sent inline, as a data: URL; addresses are not fetched"
const wrongForm = "An inline image is written as data:image/png;base64, followed by its bytes in base64"
const wrongBase64 = "The image is not base64: A to Z, a to z, 0 to 9, + and /, filled up with = to a multiple of four"

/** Detects the image type by magic bytes; undefined if unknown. */
const kindOf = (bytes: Uint8Array): string | undefined =>
  kinds.find((kind) => beginnings[kind]?.every((byte, index) => byte === null || bytes[index] === byte))

/** Validates base64 (RFC 4648, section 4) in linear time; null if it is valid. */
const base64Fault = (base64: string): string | null => {
  if (base64 === "") return "The image is empty"
  const padding = base64.endsWith("==") ? 2 : base64.endsWith("=") ? 1 : 0
  const bare = base64.slice(0, base64.length - padding)
  return base64.length % 4 === 0 && !/[^A-Za-z0-9+/]/.test(bare) ? null : wrongBase64
}

/**
 * Parses a `data:` URL (RFC 2397) of an image: PNG, JPEG, GIF or WebP in base64, whose bytes match the media type.
 * Scheme and media type are case-insensitive; parameters such as `;charset=utf-8` are ignored. On the left is an error
 * message that quotes nothing of the image. Nothing is ever fetched.
 */
export const inlineImage = (url: string): Either.Either<ImagePart, string> => {
  if (!/^data:/i.test(url)) return Either.left(notInline)
  const comma = url.slice(0, maxHeaderLength).indexOf(",")
  if (comma < 0) return Either.left(wrongForm)
  const [typeName = "", ...parameters] = url.slice("data:".length, comma).toLowerCase().split(";").map((part) =>
    part.trim()
  )
  const mediaType = otherNames[typeName] ?? typeName
  if (!Object.hasOwn(beginnings, mediaType)) return Either.left(`The image must be one of these: ${kindNames}`)
  if (parameters.at(-1) !== "base64") return Either.left(wrongForm)
  const base64 = url.slice(comma + 1)
  const fault = base64Fault(base64)
  if (fault !== null) return Either.left(fault)
  const bytes = Either.getOrElse(Encoding.decodeBase64(base64.slice(0, enoughToTell)), () => new Uint8Array())
  const kind = kindOf(bytes)
  if (kind === undefined) return Either.left(`The bytes of the image are none of these: ${kindNames}`)
  if (kind !== mediaType) return Either.left(`The image says that it is ${mediaType}, but its bytes are ${kind}`)
  return Either.right({ type: "image", mediaType, base64 })
}
