import { Cohort } from "@trunkline/cohorts"
import { defaultTimeZone } from "@trunkline/kernel"
import { Option, Schema } from "effect"
import { jsonColumn } from "../sql/Rows.js"

const decodeCohort = Schema.decodeUnknownSync(Cohort)

/** Fields that the bodies of earlier versions lack, which read every file with commas. */
const defaults = { separator: "comma", timezone: defaultTimeZone }

/** The cohort in a body, also in one of an earlier version. */
const decode = (body: string): Cohort => {
  const fields: object = JSON.parse(body)
  return decodeCohort({ ...defaults, ...fields })
}

/** The JSON column of cohorts. */
export const cohortBody = {
  encode: jsonColumn(Cohort).encode,
  decode,
  /** The cohort of a row, if there is one. */
  read: (row: { readonly body: string } | undefined): Option.Option<Cohort> =>
    Option.map(Option.fromNullable(row), ({ body }) => decode(body))
}
