import type { Clip } from "@trunkline/audio"
import { type BodyTooLarge, type Issue, unknownField } from "@trunkline/errors"
import { collectBytes, withinLimit } from "@trunkline/kernel"
import { Effect, Option, Stream } from "effect"

/** One part of a multipart form. Its content must be consumed, if at all, before the next part is requested. */
export interface VoiceFormPart<E> {
  readonly name: string
  /** The file name; null for a plain field. */
  readonly filename: string | null
  readonly contentType: string | null
  readonly content: Stream.Stream<Uint8Array, E>
}

/** The multipart form of a voice route, as a sequence of parts in any order. */
export interface VoiceForm<E> {
  /** Pulls the next part; none after the last. */
  readonly next: Effect.Effect<Option.Option<VoiceFormPart<E>>, E>
}

/** The contents of a form: its non-empty fields, and its file. */
interface VoiceFormFields {
  readonly texts: Readonly<Record<string, string>>
  /** The file; null when the form has none. */
  readonly clip: Clip | null
  /** An issue for each field that does not exist. */
  readonly unknown: ReadonlyArray<Issue>
}

/** A file field that a form may have. */
export interface FileField {
  readonly name: string
  readonly limitBytes: number
}

/** Bytes kept of a field: more than any field may have, so that the field's own rule reports a text that is too long. */
const maxFieldBytes = 16_384

const decoder = new TextDecoder()

/** Keeps the first `maxBytes` of a stream; the rest is read and dropped. */
const truncateBytes = <E>(bytes: Stream.Stream<Uint8Array, E>, maxBytes: number): Stream.Stream<Uint8Array, E> =>
  Stream.mapAccum(bytes, 0, (size, chunk) => [size + chunk.length, chunk.subarray(0, Math.max(0, maxBytes - size))])

const textOf = <E>(content: Stream.Stream<Uint8Array, E>): Effect.Effect<string, E> =>
  Effect.map(collectBytes(truncateBytes(content, maxFieldBytes)), (bytes) => decoder.decode(bytes))

/** Clients leave optional fields empty, or write `null`. */
const isBlank = (text: string): boolean => text === "" || text === "null"

/** Fields that are kept as sent, even when blank. */
const verbatimFields: ReadonlyArray<string> = ["text", "name"]

/**
 * Reads a form to its end, keeping only the named fields and the file in memory. Fails with `BodyTooLarge` as soon as the
 * file exceeds its limit. The first of several parts with the same name counts. A file in the place of a field is read
 * as a field. Fields that do not exist are issues.
 */
export const readVoiceForm = <E>(
  form: VoiceForm<E>,
  { file, names }: { readonly names: ReadonlyArray<string>; readonly file: FileField | null }
): Effect.Effect<VoiceFormFields, E | BodyTooLarge> =>
  Effect.gen(function*() {
    const texts = new Map<string, string>()
    const unknownFields = new Map<string, Issue>()
    const fileNames = file === null ? names : [...names, file.name]
    let clip: Clip | null = null
    for (;;) {
      const next = yield* form.next
      if (Option.isNone(next)) return { texts: Object.fromEntries(texts), clip, unknown: [...unknownFields.values()] }
      const { content, contentType, filename, name } = next.value
      if (name === file?.name) {
        if (clip !== null) continue
        const bytes = yield* collectBytes(withinLimit(content, file.limitBytes))
        // Clients without a file to send may send an empty field in its place.
        if (filename !== null || !isBlank(decoder.decode(bytes.subarray(0, 5)))) {
          clip = { bytes, contentType, filename }
        }
      } else if (!names.includes(name)) {
        unknownFields.set(name, { loc: ["body", name], ...unknownField(name, fileNames) })
      } else if (!texts.has(name)) {
        const text = yield* textOf(content)
        if (verbatimFields.includes(name) || !isBlank(text)) texts.set(name, text)
      }
    }
  })
