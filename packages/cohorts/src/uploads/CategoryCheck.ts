import type { Issue } from "@trunkline/errors"
import type { CohortCategory, CohortOwner } from "../Cohort.js"

/** What is wrong with a category for an owner: only campaigns call anybody, so only they take stop files. */
export const categoryIssues = (category: CohortCategory, owner: CohortOwner): ReadonlyArray<Issue> =>
  category === "stop_file" && owner.kind !== "campaign"
    ? [{ loc: ["body", "cohort_category"], msg: "Only a campaign takes a stop file", type: "value_error" }]
    : []
