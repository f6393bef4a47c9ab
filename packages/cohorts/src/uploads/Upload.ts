import { BodyTooLarge, Invalid, type Issue, issuesOf } from "@trunkline/errors"
import { ResourceName } from "@trunkline/kernel"
import { Effect, Either, Schema, Stream } from "effect"
import type { OwnerTerms } from "../CohortOwners.js"
import { type Cells, CsvBroken } from "../csv/CsvReader.js"
import { compile, fileIssue, headerIssues, type RowPlan } from "../rows/RowPlan.js"
import { parseTransformation, type Transformation } from "../transformation/Transformation.js"

/** The form that uploads a cohort (specification, Cohorts). */
export interface CohortUpload<E> {
  readonly name: string
  /** `cohort_file`: the CSV. */
  readonly file: Stream.Stream<Uint8Array, E>
  /** `cohort_transformation_file`: the JSON. */
  readonly transformation: Uint8Array
  /** Who uploads it, by the label of the key. */
  readonly createdBy: string
}

/** What of an upload must be right before its file is read. */
export interface CheckedForm {
  readonly name: string
  readonly transformation: Transformation
}

/** What is known of a file once its header fits. */
export interface FittedFile {
  readonly header: Cells
  readonly plan: RowPlan
}

const decodeName = Schema.decodeUnknownEither(Schema.Struct({ name: ResourceName }))

/** Checks the small fields of the form; the issues of both are told together. */
export const checkForm = (
  form: Pick<CohortUpload<never>, "name" | "transformation">,
  { declaredVariables }: OwnerTerms
): Either.Either<CheckedForm, Invalid> => {
  const name = Either.mapLeft(decodeName(form), (error) => new Invalid({ issues: issuesOf(error, "body") }))
  const transformation = parseTransformation(form.transformation, declaredVariables)
  return Either.match(name, {
    onRight: ({ name }) => Either.map(transformation, (transformation) => ({ name, transformation })),
    onLeft: (bad) =>
      Either.left(
        Either.match(transformation, {
          onLeft: (alsoBad) => new Invalid({ issues: [...bad.issues, ...alsoBad.issues] }),
          onRight: () => bad
        })
      )
  })
}

/** The file as long as it stays within the limit. */
export const withinLimit = <E>(
  file: Stream.Stream<Uint8Array, E>,
  limitBytes: number
): Stream.Stream<Uint8Array, E | BodyTooLarge> =>
  Stream.mapAccumEffect(file, 0, (size, bytes) =>
    size + bytes.length > limitBytes
      ? Effect.fail(new BodyTooLarge({ limitBytes }))
      : Effect.succeed([size + bytes.length, bytes] as const))

interface FileHead {
  /** The header row; null when it cannot be read. */
  readonly header: Cells | null
  readonly issues: ReadonlyArray<Issue>
}

/** Reads the header, and whether there are rows, where they are required; a first row that cannot be read is one. */
const readHead = <E>(rows: Stream.Stream<Cells, E | CsvBroken>, terms: OwnerTerms): Effect.Effect<FileHead, E> =>
  Effect.gen(function*() {
    const [first, second] = yield* rows.pipe(Stream.either, Stream.take(2), Stream.runCollect)
    if (first === undefined) return { header: null, issues: [fileIssue("Should have a header row")] }
    if (Either.isLeft(first)) {
      return first.left instanceof CsvBroken
        ? { header: null, issues: [fileIssue(first.left.message)] }
        : yield* Effect.fail(first.left)
    }
    const rowless = second === undefined && terms.requiresRows
    return { header: first.right, issues: rowless ? [fileIssue("Should have at least one row of data")] : [] }
  })

/** What is wrong with the head of a file whatever the transformation says, to be told with the issues of the form. */
export const fileIssues = <E>(
  rows: Stream.Stream<Cells, E | CsvBroken>,
  terms: OwnerTerms
): Effect.Effect<ReadonlyArray<Issue>, E> =>
  Effect.map(
    readHead(rows, terms),
    ({ header, issues }) => [...(header === null ? [] : headerIssues(header)), ...issues]
  )

/** Reads a file's header and fits the transformation to it (shapes 4.4); every issue of both is told. */
export const fitFile = (
  rows: Stream.Stream<Cells, CsvBroken>,
  { terms, transformation }: { readonly terms: OwnerTerms; readonly transformation: Transformation }
): Effect.Effect<FittedFile, Invalid> =>
  Effect.gen(function*() {
    const { header, issues } = yield* readHead<never>(rows, terms)
    const plan = header === null ? null : compile(transformation, header)
    const [first, ...rest] = [...(plan !== null && Either.isLeft(plan) ? plan.left.issues : []), ...issues]
    if (first !== undefined) return yield* new Invalid({ issues: [first, ...rest] })
    return header === null || plan === null || Either.isLeft(plan)
      ? yield* Effect.dieMessage("a file without issues has a header")
      : { header, plan: plan.right }
  })
