import type { BodyTooLarge } from "@trunkline/errors"
import { collectBytes, withinLimit } from "@trunkline/kernel"
import { Effect, Option, Stream } from "effect"
import type { CohortCategory } from "../Cohort.js"

/** A part of a form. Its content must be read before the next part is requested, or not at all. */
export interface UploadPart<E> {
  readonly name: string
  readonly content: Stream.Stream<Uint8Array, E>
}

/**
 * The form that uploads a cohort, part by part in any order: `name`, `cohort_file`, `cohort_transformation_file` and
 * optionally `cohort_category`. The first of several parts with the same name counts.
 */
export interface UploadForm<E> {
  /** The next part; none after the last. */
  readonly next: Effect.Effect<Option.Option<UploadPart<E>>, E>
}

/** Values for `uploadForm`. */
export interface UploadValues<E> {
  readonly name: string
  /** The CSV. */
  readonly file: Stream.Stream<Uint8Array, E>
  /** The JSON of the transformation. */
  readonly transformation: Uint8Array
  readonly category?: CohortCategory
}

/**
 * Makes a form from values, for uploads from code.
 *
 * @example
 * ```ts
 * const form = uploadForm({ name: "June", file: Stream.make(csv), transformation })
 * ```
 */
export const uploadForm = <E>({ category, file, name, transformation }: UploadValues<E>): UploadForm<E> => {
  const text = (name: string, value: string) => ({ name, content: Stream.succeed(new TextEncoder().encode(value)) })
  const parts: Iterator<UploadPart<E>> = [
    text("name", name),
    { name: "cohort_transformation_file", content: Stream.succeed(transformation) },
    ...(category === undefined ? [] : [text("cohort_category", category)]),
    { name: "cohort_file", content: file }
  ].values()
  return {
    next: Effect.sync(() => {
      const part = parts.next()
      return part.done === true ? Option.none() : Option.some(part.value)
    })
  }
}

/** Fields that are held in memory, with their size limits in bytes. */
const fieldBytes = { name: 65_536, cohort_category: 65_536, cohort_transformation_file: 1_048_576 } as const

/** The fields received so far, without the file. */
export type FormFields = { readonly [Name in keyof typeof fieldBytes]?: Uint8Array } & {
  /** Names of parts that do not exist, each once. */
  readonly unknown: ReadonlyArray<string>
}

/** Part that holds the file. */
const fileField = "cohort_file"

/** Names of the parts of a form. */
export const formParts: ReadonlyArray<string> = [...Object.keys(fieldBytes), fileField]

const isField = (name: string): name is keyof typeof fieldBytes => Object.hasOwn(fieldBytes, name)

/** Reads a form to its end. `onFile` reads the file, given the fields before it. */
export const readForm = <A, E, E2>(
  form: UploadForm<E>,
  onFile: (file: Stream.Stream<Uint8Array, E>, before: FormFields) => Effect.Effect<A, E2>
): Effect.Effect<
  { readonly fields: FormFields; readonly file: Option.Option<A> },
  E | E2 | BodyTooLarge
> =>
  Effect.gen(function*() {
    let fields: FormFields = { unknown: [] }
    let file = Option.none<A>()
    for (;;) {
      const part = yield* form.next
      if (Option.isNone(part)) return { fields, file }
      const { content, name } = part.value
      if (name === fileField && Option.isNone(file)) file = Option.some(yield* onFile(content, fields))
      else if (isField(name) && fields[name] === undefined) {
        fields = { ...fields, [name]: yield* collectBytes(withinLimit(content, fieldBytes[name])) }
      } else if (!isField(name) && name !== fileField && !fields.unknown.includes(name)) {
        fields = { ...fields, unknown: [...fields.unknown, name] }
      }
    }
  })

/** Decodes the text of a field. */
export const fieldText = (field: Uint8Array): string => new TextDecoder().decode(field)
