import type { Clip } from "@trunkline/audio"
import type { BodyTooLarge } from "@trunkline/errors"
import { collectBytes, withinLimit } from "@trunkline/kernel"
import { Effect, Option, Stream } from "effect"

/** One part of a form. Its content is read, if at all, before the next part is asked for. */
export interface VoiceFormPart<E> {
  readonly name: string
  /** The name of the file that it is; null for a plain field. */
  readonly filename: string | null
  readonly contentType: string | null
  readonly content: Stream.Stream<Uint8Array, E>
}

/** The form of a voice route, part by part in any order (specification, Voice-cloned speech). */
export interface VoiceForm<E> {
  /** The next part; none after the last. */
  readonly next: Effect.Effect<Option.Option<VoiceFormPart<E>>, E>
}

/** A form that is read: the fields that say something, and the file. */
export interface VoiceFormFields {
  readonly texts: Readonly<Record<string, string>>
  /** The file, if the form has it. */
  readonly clip: Clip | null
}

/** The file that a form may hold. */
export interface FileField {
  readonly name: string
  readonly limitBytes: number
}

/** What is read of a field, in bytes: more than any field may have, so that what is too long is told by its own rule. */
const fieldBytes = 16_384

const decoder = new TextDecoder()

/** The beginning of what comes; the rest is read and dropped. */
const beginning = <E>(bytes: Stream.Stream<Uint8Array, E>, most: number): Stream.Stream<Uint8Array, E> =>
  Stream.mapAccum(bytes, 0, (size, piece) => [size + piece.length, piece.subarray(0, Math.max(0, most - size))])

const textOf = <E>(content: Stream.Stream<Uint8Array, E>): Effect.Effect<string, E> =>
  Effect.map(collectBytes(beginning(content, fieldBytes)), (bytes) => decoder.decode(bytes))

/** Clients that have nothing to say about a field leave it empty, or write `null`. */
const saysNothing = (text: string): boolean => text === "" || text === "null"

/** The fields that mean what they hold, even nothing. */
const literal: ReadonlyArray<string> = ["text", "name"]

/**
 * Reads a form to its end, and holds no more of it than the fields and the file. The file fails with `BodyTooLarge` as
 * soon as it is. Of parts with the same name the first counts; a file where a field should be is read as a field.
 */
export const readVoiceForm = <E>(
  form: VoiceForm<E>,
  { file, names }: { readonly names: ReadonlyArray<string>; readonly file: FileField | null }
): Effect.Effect<VoiceFormFields, E | BodyTooLarge> =>
  Effect.gen(function*() {
    const texts = new Map<string, string>()
    let clip: Clip | null = null
    for (;;) {
      const next = yield* form.next
      if (Option.isNone(next)) return { texts: Object.fromEntries(texts), clip }
      const { content, contentType, filename, name } = next.value
      if (name === file?.name) {
        if (clip !== null) continue
        const bytes = yield* collectBytes(withinLimit(content, file.limitBytes))
        // A form that has no file to send may hold an empty field in its place.
        if (filename !== null || !saysNothing(decoder.decode(bytes.subarray(0, 5)))) {
          clip = { bytes, contentType, filename }
        }
      } else if (names.includes(name) && !texts.has(name)) {
        const text = yield* textOf(content)
        if (literal.includes(name) || !saysNothing(text)) texts.set(name, text)
      }
    }
  })
