import type { Invalid, Issue } from "@trunkline/errors"

/** Locations of a cohort's file and its transformation in a request, for the `loc` of issues. */
export interface IssueLocations {
  readonly file: Issue["loc"]
  readonly transformation: Issue["loc"]
}

/** Locations in the form that uploads a cohort. */
export const formLocations: IssueLocations = {
  file: ["body", "cohort_file"],
  transformation: ["body", "cohort_transformation_file"]
}

/** Locations in the body that creates a cohort from a URL. */
export const urlLocations: IssueLocations = {
  file: ["body", "source", "url"],
  transformation: ["body", "cohort_transformation"]
}

const maxIssues = 3
const maxIssueLength = 150

const oneLine = (text: string): string => text.replace(/[\p{Cc}\p{Zl}\p{Zp}]+/gu, " ")

const truncate = (text: string): string =>
  text.length <= maxIssueLength ? text : `${text.slice(0, maxIssueLength - 1).replace(/[\ud800-\udbff]$/, "")}…`

/**
 * Summarizes issues for a `failure_reason`: the first three and the number of others, on one line of at most 500
 * characters. It names columns and keys of the transformation, and never quotes a row of data.
 */
export const summarizeIssues = ({ issues }: Invalid): string => {
  const sentences = issues.slice(0, maxIssues).map(({ loc, msg }) => {
    const [, ...keys] = loc
    return truncate(oneLine(keys.length === 0 ? msg : `${msg} (${keys.join(".")})`))
  })
  const more = issues.length - sentences.length
  return [...sentences, ...(more > 0 ? [`and ${more} more`] : [])].join("; ")
}
