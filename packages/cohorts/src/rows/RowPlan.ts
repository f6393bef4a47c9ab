import { Invalid, type Issue } from "@trunkline/errors"
import type { PhoneCountry } from "@trunkline/kernel"
import { Array, Either, Option } from "effect"
import { OverrideName } from "../Cohort.js"
import type { Cells } from "../csv/CsvReader.js"
import { type CohortPlaces, formPlaces } from "../transformation/Places.js"
import type { ColumnMap, Transformation } from "../transformation/Transformation.js"
import { longestValue, type TextTransform, textTransform } from "../transformation/Transforms.js"

/** One mapped column, ready to read rows with. */
export interface Column<Name extends string = string> {
  /** The name of the value, as reasons show it. */
  readonly variable: Name
  readonly index: number
  readonly required: boolean
  readonly default: string
  /** What is done to the text; null from it when that cannot be done, null instead of it when there is nothing to do. */
  readonly transform: ((text: string) => string | null) | null
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
  /** How much work a row is: a unit takes a tenth of a microsecond or so. */
  readonly work: number
}

/** Something that is wrong with the file; it is that of an upload unless the places are others. */
export const fileIssue = (msg: string, { file }: CohortPlaces = formPlaces): Issue => ({
  loc: file,
  msg,
  type: "value_error"
})

const plain = (name: string): string => name.trim().normalize("NFC")

/** What is wrong with a header by itself. Columns go by number: a file without a header has people's data in its first row. */
export const headerIssues = (header: Cells, places: CohortPlaces = formPlaces): ReadonlyArray<Issue> =>
  header.map(plain).flatMap((name, index, names) => {
    const first = names.indexOf(name)
    return name === ""
      ? [fileIssue(`Column ${index + 1} of the header should have a name`, places)]
      : first < index
      ? [fileIssue(`Columns ${first + 1} and ${index + 1} of the header should not have the same name`, places)]
      : []
  })

/**
 * The longest number or identifier that transforms may make of a shorter text, in characters: those of a whole file are
 * remembered while it is read.
 */
const longestKey = 256

const inTurn = (transforms: ReadonlyArray<TextTransform>, longest: number) => (cell: string): string | null => {
  let text = cell
  for (const transform of transforms) {
    if (text === "") break
    const changed = Option.getOrNull(transform(text))
    if (changed === null || changed.length > Math.max(longest, cell.length)) return null
    text = changed
  }
  return text
}

const column = <Name extends string>(
  map: ColumnMap,
  { index, longest, variable }: { readonly index: number; readonly longest: number; readonly variable: Name }
): Column<Name> => ({
  variable,
  index,
  required: map.required,
  default: map.default ?? "",
  transform: map.transforms.length === 0 ? null : inTurn(map.transforms.map(textTransform), longest)
})

/** What a transform costs, in columns that have none; a date takes longest. */
const transformWork = 25

const workOf = ({ app_overrides, app_variables, phone_number, user_identifier }: Transformation): number => {
  const maps = [phone_number, user_identifier, ...Object.values(app_variables), ...Object.values(app_overrides)]
  return maps.reduce((work, map) => map === undefined ? work : work + 1 + transformWork * map.transforms.length, 1)
}

/**
 * Fits a transformation to a header. The header's names must be there and be unique, and hold every mapped column;
 * each that does not is an issue. Names are compared trimmed and in Unicode NFC, with case.
 */
export const compile = (
  transformation: Transformation,
  header: Cells,
  places: CohortPlaces = formPlaces
): Either.Either<RowPlan, Invalid> => {
  const names = header.map(plain)
  const issues: Array<Issue> = [...headerIssues(header, places)]
  const find = <Name extends string>(map: ColumnMap, variable: Name, ...keys: ReadonlyArray<string>) => {
    const index = names.indexOf(plain(map.column_name))
    if (index < 0) {
      issues.push({
        loc: [...places.transformation, ...keys, variable, "column_name"],
        msg: `The file has no column "${map.column_name}"`,
        type: "value_error"
      })
    }
    return column(map, { variable, index, longest: keys.length === 0 ? longestKey : longestValue })
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
    }),
    work: workOf(transformation)
  }
  return Array.isNonEmptyReadonlyArray(issues) ? Either.left(new Invalid({ issues })) : Either.right(plan)
}

/** The plan of a stop file: of its rows only the numbers count, and nothing else can reject one. */
export const numbersOnly = (plan: RowPlan): RowPlan => ({
  ...plan,
  identifier: undefined,
  variables: [],
  overrides: []
})
