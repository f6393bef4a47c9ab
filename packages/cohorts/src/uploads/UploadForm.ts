import type { BodyTooLarge } from "@trunkline/errors"
import { collectBytes, withinLimit } from "@trunkline/kernel"
import { Effect, Option, Stream } from "effect"
import type { CohortCategory } from "../Cohort.js"

/** One part of a form. Its content is read, if at all, before the next part is asked for. */
export interface UploadPart<E> {
  readonly name: string
  readonly content: Stream.Stream<Uint8Array, E>
}

/**
 * The form that uploads a cohort, part by part in any order: `name`, `cohort_file`, `cohort_transformation_file` and
 * perhaps `cohort_category` (specification, Cohorts; shapes 13). Of parts with the same name the first counts.
 */
export interface UploadForm<E> {
  /** The next part; none after the last. */
  readonly next: Effect.Effect<Option.Option<UploadPart<E>>, E>
}

/** What a script has in place of a form. */
export interface UploadValues<E> {
  readonly name: string
  /** The CSV. */
  readonly file: Stream.Stream<Uint8Array, E>
  /** The JSON of the transformation. */
  readonly transformation: Uint8Array
  readonly category?: CohortCategory
}

/** A form of these values. */
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

/** The fields of the form that are held in memory, with the most bytes that each may have. */
const fieldBytes = { name: 65_536, cohort_category: 65_536, cohort_transformation_file: 1_048_576 } as const

/** The fields of the form but the file, as far as they have come in. */
export type FormFields = { readonly [Name in keyof typeof fieldBytes]?: Uint8Array }

const isField = (name: string): name is keyof FormFields => Object.hasOwn(fieldBytes, name)

/** Reads a form to its end. `onFile` reads the file, and knows the fields that came before it. */
export const readForm = <A, E, E2>(
  form: UploadForm<E>,
  onFile: (file: Stream.Stream<Uint8Array, E>, before: FormFields) => Effect.Effect<A, E2>
): Effect.Effect<
  { readonly fields: FormFields; readonly file: Option.Option<A> },
  E | E2 | BodyTooLarge
> =>
  Effect.gen(function*() {
    let fields: FormFields = {}
    let file = Option.none<A>()
    for (;;) {
      const part = yield* form.next
      if (Option.isNone(part)) return { fields, file }
      const { content, name } = part.value
      if (name === "cohort_file" && Option.isNone(file)) file = Option.some(yield* onFile(content, fields))
      else if (isField(name) && fields[name] === undefined) {
        fields = { ...fields, [name]: yield* collectBytes(withinLimit(content, fieldBytes[name])) }
      }
    }
  })

/** The text of a field. */
export const textOf = (field: Uint8Array): string => new TextDecoder().decode(field)
