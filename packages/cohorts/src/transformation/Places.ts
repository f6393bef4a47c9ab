import type { Invalid, Issue } from "@trunkline/errors"

/** Where a request holds a cohort's file and its transformation, as issues say it. */
export interface CohortPlaces {
  readonly file: Issue["loc"]
  readonly transformation: Issue["loc"]
}

/** The places of the form that uploads a cohort. */
export const formPlaces: CohortPlaces = {
  file: ["body", "cohort_file"],
  transformation: ["body", "cohort_transformation_file"]
}

/** The places of the body that creates a cohort from a URL (shapes 4.5). */
export const urlPlaces: CohortPlaces = {
  file: ["body", "source", "url"],
  transformation: ["body", "cohort_transformation"]
}

const issuesTold = 3
const longestIssue = 150

const oneLine = (text: string): string => text.replace(/[\p{Cc}\p{Zl}\p{Zp}]+/gu, " ")

const clipped = (text: string): string =>
  text.length <= longestIssue ? text : `${text.slice(0, longestIssue - 1).replace(/[\ud800-\udbff]$/, "")}…`

/**
 * What is wrong, for a `failure_reason`: the first three issues and how many more there are, on one line of at most
 * 500 characters. It names columns and keys as the transformation does, and never shows what stands in a file.
 */
export const inWords = ({ issues }: Invalid): string => {
  const told = issues.slice(0, issuesTold).map(({ loc, msg }) => {
    const [, ...keys] = loc
    return clipped(oneLine(keys.length === 0 ? msg : `${msg} (${keys.join(".")})`))
  })
  const more = issues.length - told.length
  return [...told, ...(more > 0 ? [`and ${more} more`] : [])].join("; ")
}
