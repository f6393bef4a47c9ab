import { type Issue, issuesOf } from "@trunkline/errors"
import { ResourceName } from "@trunkline/kernel"
import { Either, Schema } from "effect"
import { CohortCategory, type CohortOwner } from "../Cohort.js"
import type { OwnerTerms } from "../CohortOwners.js"
import { parseTransformation, type Transformation } from "../transformation/Transformation.js"
import { categoryIssues } from "./CategoryCheck.js"
import { type FormFields, textOf } from "./UploadForm.js"

/** The small fields of a form that is right so far. */
export interface CheckedForm {
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
  ...(name === undefined ? {} : { name: textOf(name) }),
  ...(cohort_category === undefined ? {} : { cohort_category: textOf(cohort_category) })
})

/** Checks the fields of a form but its file; all their issues are told together. */
export const checkForm = (
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
  const misplaced = Either.isRight(texts) ? categoryIssues(texts.right.cohort_category, owner) : []
  return Either.isRight(texts) && Either.isRight(transformation) && misplaced.length === 0
    ? Either.right({ name: texts.right.name, category: texts.right.cohort_category, ...transformation.right })
    : Either.left([
      ...(Either.isLeft(texts) ? texts.left : []),
      ...misplaced,
      ...(Either.isLeft(transformation) ? transformation.left : [])
    ])
}
