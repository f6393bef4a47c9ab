import { cohortLimits, type CohortUpload } from "@trunkline/cohorts"
import { type BodyTooLarge, Invalid, issuesOf } from "@trunkline/errors"
import { Effect, Either, Option, Schema, Stream } from "effect"
import { collect, concat } from "../ByteReader.js"
import type { FormReader } from "../Form.js"
import { jsonLimitBytes } from "../JsonBody.js"

/** What an uploaded form says; its file may still be on its way. */
export type ReceivedForm = Omit<CohortUpload<Invalid | BodyTooLarge>, "createdBy">

const Pieces = Schema.Array(Schema.Uint8ArrayFromSelf)
const AllParts = Schema.Struct({ name: Pieces, cohort_file: Pieces, cohort_transformation_file: Pieces })

/** The parts that have come in. */
type Parts = Partial<typeof AllParts.Type>

const limits: Readonly<Record<keyof Parts, number>> = {
  name: jsonLimitBytes,
  cohort_file: cohortLimits.bytes,
  cohort_transformation_file: jsonLimitBytes
}

const isAwaited = (name: string, parts: Parts): name is keyof Parts =>
  Object.hasOwn(limits, name) && !Object.hasOwn(parts, name)

const decodeParts = Schema.decodeUnknownEither(AllParts, { errors: "all" })

const formOf = (parts: Parts, file: ReceivedForm["file"]): Either.Either<ReceivedForm, Invalid> =>
  Either.mapBoth(decodeParts(parts), {
    onLeft: (error) => new Invalid({ issues: issuesOf(error, "body") }),
    onRight: ({ cohort_transformation_file, name }) => ({
      name: new TextDecoder().decode(concat(name)),
      transformation: concat(cohort_transformation_file),
      file
    })
  })

/**
 * Reads the form until its file can be read as it comes in, which is at once when the file comes last, as it should.
 * A file that comes before another part is held in memory. Of parts with the same name the first counts.
 */
export const receiveForm = (
  form: FormReader,
  parts: Parts = {}
): Effect.Effect<ReceivedForm, Invalid | BodyTooLarge> =>
  Effect.flatMap(form.next, (part) => {
    if (Option.isNone(part)) return formOf(parts, Stream.fromIterable(parts.cohort_file ?? []))
    const { content, name } = part.value
    if (!isAwaited(name, parts)) return receiveForm(form, parts)
    if (name === "cohort_file" && parts.name !== undefined && parts.cohort_transformation_file !== undefined) {
      return formOf({ ...parts, cohort_file: [] }, content)
    }
    return Effect.flatMap(collect(content, limits[name]), (pieces) => receiveForm(form, { ...parts, [name]: pieces }))
  })
