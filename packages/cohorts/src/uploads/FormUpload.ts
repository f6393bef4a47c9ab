import { type BodyTooLarge, Invalid, type Issue, issuesOf, unknownField } from "@trunkline/errors"
import { type CohortId, ResourceName, type Scope, withinLimit } from "@trunkline/kernel"
import { Array, Effect, Either, Option, Schema, Stream } from "effect"
import { CohortCategory, type CohortOwner } from "../Cohort.js"
import { CurrentCohortLimits } from "../CohortLimits.js"
import { CohortOwners, type OwnerTerms } from "../CohortOwners.js"
import { CsvReader } from "../csv/CsvReader.js"
import { makeCohortFiles } from "../files/CohortFiles.js"
import { fileIssues } from "../rows/FileHead.js"
import { parseTransformation, type Transformation } from "../transformation/Transformation.js"
import { makeAcceptCohort } from "./AcceptCohort.js"
import { categoryIssues } from "./CohortBodies.js"
import { fieldText, type FormFields, formParts, readForm, type UploadForm } from "./UploadForm.js"

/** The valid fields of a form, without its file. */
interface CheckedForm {
  readonly name: string
  readonly category: CohortCategory
  readonly transformation: Transformation
  /** The transformation as it was received. */
  readonly json: Uint8Array
}

const NameAndCategory = Schema.Struct({
  name: ResourceName,
  cohort_category: Schema.optionalWith(CohortCategory, { default: () => "cohort" as const })
})
const decodeNameAndCategory = Schema.decodeUnknownEither(NameAndCategory, { errors: "all" })

const missing = (part: string): Issue => ({ loc: ["body", part], msg: "This field is required", type: "missing" })

const textsOf = ({ cohort_category, name }: FormFields) => ({
  ...(name === undefined ? {} : { name: fieldText(name) }),
  ...(cohort_category === undefined ? {} : { cohort_category: fieldText(cohort_category) })
})

/** Checks the fields of a form without its file; returns all issues together. */
const checkForm = (
  fields: FormFields,
  { owner, terms }: { readonly owner: CohortOwner; readonly terms: OwnerTerms }
): Either.Either<CheckedForm, ReadonlyArray<Issue>> => {
  const texts = Either.mapLeft(decodeNameAndCategory(textsOf(fields)), (error) => issuesOf(error, "body"))
  const { cohort_transformation_file: json } = fields
  const transformation = json === undefined
    ? Either.left([missing("cohort_transformation_file")])
    : Either.mapBoth(parseTransformation(json, terms.declaredVariables), {
      onLeft: ({ issues }): ReadonlyArray<Issue> => issues,
      onRight: (transformation) => ({ transformation, json })
    })
  const ownerIssues = Either.isRight(texts) ? categoryIssues(texts.right.cohort_category, owner) : []
  const unknown = fields.unknown.map((part): Issue => ({ loc: ["body", part], ...unknownField(part, formParts) }))
  return Either.isRight(texts) && Either.isRight(transformation) && ownerIssues.length + unknown.length === 0
    ? Either.right({ name: texts.right.name, category: texts.right.cohort_category, ...transformation.right })
    : Either.left([
      ...(Either.isLeft(texts) ? texts.left : []),
      ...ownerIssues,
      ...unknown,
      ...(Either.isLeft(transformation) ? transformation.left : [])
    ])
}

/** Result of receiving the file of a form: stored, or rejected with issues. */
type ReceivedFile = "kept" | { readonly issues: ReadonlyArray<Issue> }

/** Makes `Cohorts.upload`, which streams the file of a form into the `FileStore` as it arrives. */
export const makeFormUpload = Effect.gen(function*() {
  const files = yield* makeCohortFiles
  const owners = yield* CohortOwners
  const csv = yield* CsvReader
  const limits = yield* CurrentCohortLimits
  const accept = yield* makeAcceptCohort

  /** Stores the file. If the fields before it are invalid, reads only its header, to report its issues as well. */
  const receiveFile = <E>(
    id: CohortId,
    file: Stream.Stream<Uint8Array, E>,
    areFieldsInvalid: boolean,
    terms: OwnerTerms
  ): Effect.Effect<ReceivedFile, E | BodyTooLarge> => {
    const bytes = withinLimit(file, limits.bytes)
    return areFieldsInvalid
      ? Effect.map(fileIssues(csv.rows(bytes), terms), (issues) => ({ issues }))
      : Effect.as(files.keep(id, "cohort", bytes), "kept")
  }

  const receivedFileIssues = (id: CohortId, file: ReceivedFile, terms: OwnerTerms) =>
    file === "kept" ? fileIssues<never>(files.rows(id), terms) : Effect.succeed(file.issues)

  const receive = <E>(id: CohortId, form: UploadForm<E>, owner: CohortOwner, terms: OwnerTerms) =>
    Effect.gen(function*() {
      const check = (fields: FormFields) => checkForm(fields, { owner, terms })
      const { fields, file } = yield* readForm(form, (content, before) => {
        const isComplete = before.name !== undefined && before.cohort_transformation_file !== undefined
        return receiveFile(id, content, isComplete && Either.isLeft(check(before)), terms)
      })
      const outcome = check(fields)
      if (Either.isRight(outcome) && Option.contains(file, "kept")) {
        const { category, json, name, transformation } = outcome.right
        const { format: { separator } } = yield* files.fit(id, { terms, transformation })
        yield* files.keep(id, "cohort_transformation", Stream.succeed(json))
        return { name, category, source_url: null, separator }
      }
      const issues = [
        ...(Either.isLeft(outcome) ? outcome.left : []),
        ...(Option.isNone(file) ? [missing("cohort_file")] : yield* receivedFileIssues(id, file.value, terms))
      ]
      return Array.isNonEmptyReadonlyArray(issues)
        ? yield* new Invalid({ issues })
        : yield* Effect.dieMessage("an invalid form has issues")
    })

  return <E>(
    scope: Scope,
    owner: CohortOwner,
    { createdBy, form }: { readonly form: UploadForm<E>; readonly createdBy: string }
  ) =>
    Effect.flatMap(owners.admit(scope, owner), (terms) =>
      accept(
        { scope, owner, source_type: "file_upload", createdBy },
        (id) => receive(id, form, owner, terms)
      )).pipe(Effect.withSpan("Cohorts.upload"))
})
