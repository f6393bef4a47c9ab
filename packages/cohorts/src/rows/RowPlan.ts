import { Invalid, type Issue } from "@trunkline/errors"
import type { PhoneCountry } from "@trunkline/kernel"
import { Array, Either, Option } from "effect"
import { OverrideName } from "../Cohort.js"
import type { Cells } from "../csv/CsvReader.js"
import { type ColumnMap, type Transformation, transformationLoc } from "../transformation/Transformation.js"
import { type TextTransform, textTransform } from "../transformation/Transforms.js"

/** One mapped column, ready to read rows with. */
export interface Column<Name extends string = string> {
  /** The name of the value, as reasons show it. */
  readonly variable: Name
  readonly index: number
  readonly required: boolean
  readonly default: string
  readonly transform: TextTransform
}

/** A transformation fitted to the header of one file: which cells to read, and how. */
export interface RowPlan {
  /** How many cells a row must have. */
  readonly width: number
  readonly country: PhoneCountry
  /** Not `required`: a missing number has a reason of its own. */
  readonly phone: Column
  readonly identifier: Column | undefined
  readonly variables: ReadonlyArray<Column>
  readonly overrides: ReadonlyArray<Column<OverrideName>>
}

/** Something that is wrong with the uploaded file. */
export const fileIssue = (msg: string): Issue => ({ loc: ["body", "cohort_file"], msg, type: "value_error" })

const plain = (name: string): string => name.trim().normalize("NFC")

/** What is wrong with a header by itself. Columns go by number: a file without a header has people's data in its first row. */
export const headerIssues = (header: Cells): ReadonlyArray<Issue> =>
  header.map(plain).flatMap((name, index, names) => {
    const first = names.indexOf(name)
    return name === ""
      ? [fileIssue(`Column ${index + 1} of the header should have a name`)]
      : first < index
      ? [fileIssue(`Columns ${first + 1} and ${index + 1} of the header should not have the same name`)]
      : []
  })

/** The longest text that a transform may make of a cell, in characters. */
const longestValue = 65_536

const step = (result: Option.Option<string>, transform: TextTransform): Option.Option<string> =>
  Option.flatMap(
    result,
    (text) => text === "" ? result : Option.filter(transform(text), (changed) => changed.length <= longestValue)
  )

const column = <Name extends string>(map: ColumnMap, variable: Name, index: number): Column<Name> => {
  const transforms = map.transforms.map(textTransform)
  return {
    variable,
    index,
    required: map.required,
    default: map.default ?? "",
    transform: (text) => transforms.reduce(step, Option.some(text))
  }
}

/**
 * Fits a transformation to a header. The header's names must be there and be unique, and hold every mapped column;
 * each that does not is an issue. Names are compared trimmed and in Unicode NFC, with case.
 */
export const compile = (transformation: Transformation, header: Cells): Either.Either<RowPlan, Invalid> => {
  const names = header.map(plain)
  const issues: Array<Issue> = [...headerIssues(header)]
  const find = <Name extends string>(map: ColumnMap, variable: Name, ...keys: ReadonlyArray<string>) => {
    const index = names.indexOf(plain(map.column_name))
    if (index < 0) {
      issues.push({
        loc: transformationLoc(...keys, variable, "column_name"),
        msg: `The file has no column "${map.column_name}"`,
        type: "value_error"
      })
    }
    return column(map, variable, index)
  }
  const { app_overrides, app_variables, phone_number, user_identifier } = transformation
  const plan: RowPlan = {
    width: header.length,
    country: phone_number.country_code,
    phone: find({ ...phone_number, required: false }, "phone_number"),
    identifier: user_identifier && find(user_identifier, "user_identifier"),
    variables: Object.entries(app_variables).map(([variable, map]) => find(map, variable, "app_variables")),
    overrides: OverrideName.literals.flatMap((name) => {
      const map = app_overrides[name]
      return map === undefined ? [] : [find(map, name, "app_overrides")]
    })
  }
  return Array.isNonEmptyReadonlyArray(issues) ? Either.left(new Invalid({ issues })) : Either.right(plan)
}
