import { type BodyTooLarge, Invalid, type Issue } from "@trunkline/errors"
import { type CohortId, type Scope, withinLimit } from "@trunkline/kernel"
import { Array, Effect, Either, Option, Stream } from "effect"
import type { CohortOwner } from "../Cohort.js"
import { CurrentCohortLimits } from "../CohortLimits.js"
import { CohortOwners, type OwnerTerms } from "../CohortOwners.js"
import { CsvReader } from "../csv/CsvReader.js"
import { cohortFiles } from "../files/CohortFiles.js"
import { fileIssues, fitFile } from "../rows/FileHead.js"
import { acceptance } from "./Acceptance.js"
import { checkForm } from "./FormCheck.js"
import { type FormFields, readForm, type UploadForm } from "./UploadForm.js"

const missingFile: Issue = { loc: ["body", "cohort_file"], msg: "This field is required", type: "missing" }

/** What came of the file of a form: it is kept, or was not worth keeping. */
type ReceivedFile = "kept" | { readonly issues: ReadonlyArray<Issue> }

/** How a form that is being uploaded becomes a cohort: its file goes to the `FileStore` as it comes in. */
export const uploading = Effect.gen(function*() {
  const files = yield* cohortFiles
  const owners = yield* CohortOwners
  const csv = yield* CsvReader
  const limits = yield* CurrentCohortLimits
  const accept = yield* acceptance

  /** Keeps the file, unless the fields before it are wrong: then only its head is read, to tell what is wrong with it too. */
  const receiveFile = <E>(
    id: CohortId,
    file: Stream.Stream<Uint8Array, E>,
    fieldsAreWrong: boolean,
    terms: OwnerTerms
  ): Effect.Effect<ReceivedFile, E | BodyTooLarge> => {
    const bytes = withinLimit(file, limits.bytes)
    return fieldsAreWrong
      ? Effect.map(fileIssues(csv.rows(bytes), terms), (issues) => ({ issues }))
      : Effect.as(files.keep(id, "cohort", bytes), "kept")
  }

  const issuesOfFile = (id: CohortId, file: ReceivedFile, terms: OwnerTerms) =>
    file === "kept" ? fileIssues<never>(files.rows(id), terms) : Effect.succeed(file.issues)

  const receive = <E>(id: CohortId, form: UploadForm<E>, owner: CohortOwner, terms: OwnerTerms) =>
    Effect.gen(function*() {
      const check = (fields: FormFields) => checkForm(fields, { owner, terms })
      const { fields, file } = yield* readForm(form, (content, before) => {
        const isComplete = before.name !== undefined && before.cohort_transformation_file !== undefined
        return receiveFile(id, content, isComplete && Either.isLeft(check(before)), terms)
      })
      const checked = check(fields)
      if (Either.isRight(checked) && Option.contains(file, "kept")) {
        const { category, json, name, transformation } = checked.right
        yield* fitFile(files.rows(id), { terms, transformation })
        yield* files.keep(id, "cohort_transformation", Stream.succeed(json))
        return { name, category, source_url: null }
      }
      const issues = [
        ...(Either.isLeft(checked) ? checked.left : []),
        ...(Option.isNone(file) ? [missingFile] : yield* issuesOfFile(id, file.value, terms))
      ]
      return Array.isNonEmptyReadonlyArray(issues)
        ? yield* new Invalid({ issues })
        : yield* Effect.dieMessage("a form that is wrong has issues")
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
