import { Invalid, type Issue } from "@trunkline/errors"
import { defaultTimeZone, type PhoneCountry, type TimeZone } from "@trunkline/kernel"
import { Array, Either, Option } from "effect"
import { OverrideName } from "../Cohort.js"
import type { Cells } from "../csv/Csv.js"
import { isRejectedFile } from "../csv/RejectedRows.js"
import { formLocations, type IssueLocations } from "../transformation/IssueLocations.js"
import type { ColumnMap, Transformation } from "../transformation/Transformation.js"
import { maxValueLength, type TextTransform, textTransform } from "../transformation/Transforms.js"

/** A mapped column, prepared for reading rows. */
export interface ColumnPlan<Name extends string = string> {
  /** Name of the value, as rejection reasons show it. */
  readonly variable: Name
  readonly index: number
  readonly required: boolean
  readonly default: string
  /** Transforms a text, or returns null when it cannot; null when the column has no transforms. */
  readonly transform: ((text: string) => string | null) | null
}

/** A transformation fitted to the header of a file: the cells to read, and how to read them. */
export interface RowPlan {
  /** Most cells of a row: as many as the header has. */
  readonly width: number
  /** Fewest cells of a row: columns without a name at the end of the header may be missing. */
  readonly least: number
  /** Columns without a name, in which no row may have a value. */
  readonly unnamedColumns: ReadonlyArray<number>
  /** Header of a file of rejected rows; null for another file. */
  readonly rejectionHeader: Cells | null
  readonly country: PhoneCountry
  /** Never `required`, because a missing number has a separate reason. */
  readonly phone: ColumnPlan
  readonly identifier: ColumnPlan | undefined
  readonly variables: ReadonlyArray<ColumnPlan>
  readonly overrides: ReadonlyArray<ColumnPlan<OverrideName>>
  /** Work per row, in units of about a tenth of a microsecond. */
  readonly work: number
}

/** An issue with the file, located in an upload form unless other locations are given. */
export const fileIssue = (msg: string, { file }: IssueLocations = formLocations): Issue => ({
  loc: file,
  msg,
  type: "value_error"
})

const normalizeName = (name: string): string => name.trim().normalize("NFC")

/** Most columns that a message names, and most characters of each. */
const shownColumns = { count: 12, characters: 40 }

/** True for a first row with a phone number in it, which is data of a person and no header. */
const isData = (header: Cells): boolean => header.some((name) => name.replaceAll(/\D/g, "").length >= 7)

/** The columns that there are, for a message; a row of data is not repeated. */
const namesShown = (header: Cells): string => {
  if (isData(header)) return "its first row is data, and should be a header with the names of the columns"
  const names = header.map(normalizeName).filter((name) => name !== "").map((name) =>
    name.slice(0, shownColumns.characters)
  )
  const more = names.length > shownColumns.count ? ", …" : ""
  return `its columns are ${names.slice(0, shownColumns.count).join(", ")}${more}`
}

/** Issues of a header on its own. They number the columns, because a file without a header has personal data in its first row. */
export const headerIssues = (header: Cells, locations: IssueLocations = formLocations): ReadonlyArray<Issue> =>
  header.map(normalizeName).flatMap((name, index, names) => {
    const first = names.indexOf(name)
    return name !== "" && first < index
      ? [fileIssue(`Columns ${first + 1} and ${index + 1} of the header should not have the same name`, locations)]
      : []
  })

/** Indices of the columns of a header that have no name. */
export const unnamedColumns = (header: Cells): ReadonlyArray<number> =>
  header.flatMap((name, index) => normalizeName(name) === "" ? [index] : [])

/**
 * Most characters of a phone number or identifier that transforms make of a shorter text. Those of a whole file are kept
 * in memory while it is read.
 */
const maxKeyLength = 256

const composeTransforms =
  (transforms: ReadonlyArray<TextTransform>, maxLength: number) => (cell: string): string | null => {
    let text = cell
    for (const transform of transforms) {
      if (text === "") break
      const changedText = Option.getOrNull(transform(text))
      if (changedText === null || changedText.length > Math.max(maxLength, cell.length)) return null
      text = changedText
    }
    return text
  }

const column = <Name extends string>(
  map: ColumnMap,
  { index, maxLength, timezone, variable }: {
    readonly index: number
    readonly maxLength: number
    readonly timezone: TimeZone
    readonly variable: Name
  }
): ColumnPlan<Name> => ({
  variable,
  index,
  required: map.required,
  default: map.default ?? "",
  transform: map.transforms.length === 0
    ? null
    : composeTransforms(map.transforms.map((transform) => textTransform(transform, timezone)), maxLength)
})

/** Work of a transform, in columns without one; dates take the longest. */
const transformWork = 25

const workOf = ({ app_overrides, app_variables, phone_number, user_identifier }: Transformation): number => {
  const maps = [phone_number, user_identifier, ...Object.values(app_variables), ...Object.values(app_overrides)]
  return maps.reduce((work, map) => map === undefined ? work : work + 1 + transformWork * map.transforms.length, 1)
}

/**
 * Fits a transformation to a header. Fails with an issue for every repeated name in the header, and for every mapped
 * column that is missing. Names are compared trimmed, in Unicode NFC, and with case. Times are converted to the zone.
 */
export const compileRowPlan = (
  transformation: Transformation,
  header: Cells,
  locations: IssueLocations = formLocations,
  timezone: TimeZone = defaultTimeZone
): Either.Either<RowPlan, Invalid> => {
  const names = header.map(normalizeName)
  const issues: Array<Issue> = [...headerIssues(header, locations)]
  const find = <Name extends string>(map: ColumnMap, variable: Name, ...keys: ReadonlyArray<string>) => {
    const index = names.indexOf(normalizeName(map.column_name))
    if (index < 0) {
      issues.push({
        loc: [...locations.transformation, ...keys, variable, "column_name"],
        msg: `The file has no column "${map.column_name}": ${namesShown(header)}`,
        type: "value_error"
      })
    }
    return column(map, { variable, index, timezone, maxLength: keys.length === 0 ? maxKeyLength : maxValueLength })
  }
  const { app_overrides, app_variables, phone_number, user_identifier } = transformation
  const plan: RowPlan = {
    width: header.length,
    least: names.findLastIndex((name) => name !== "") + 1,
    unnamedColumns: unnamedColumns(header),
    rejectionHeader: isRejectedFile(header) ? header : null,
    country: phone_number.country_code,
    phone: find({ ...phone_number, required: false }, "phone_number"),
    identifier: user_identifier && find(user_identifier, "user_identifier"),
    variables: Object.entries(app_variables).map(([variable, map]) => find(map, variable, "app_variables")),
    overrides: OverrideName.literals.flatMap((name) => {
      const map = app_overrides[name]
      return map === undefined ? [] : [find(map, name, "app_overrides")]
    }),
    work: workOf(transformation)
  }
  return Array.isNonEmptyReadonlyArray(issues) ? Either.left(new Invalid({ issues })) : Either.right(plan)
}

/** The plan of a stop file: rows have phone numbers only, and nothing else can reject them. */
export const phonesOnly = (plan: RowPlan): RowPlan => ({
  ...plan,
  identifier: undefined,
  variables: [],
  overrides: []
})
