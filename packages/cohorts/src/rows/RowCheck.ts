import { normalisePhone, type PhoneNumber } from "@trunkline/kernel"
import { Either } from "effect"
import type { CohortUser, OverrideName } from "../Cohort.js"
import type { Cells } from "../csv/CsvReader.js"
import type { CheckedRow, RejectedReason } from "./CheckedRow.js"
import type { Column, RowPlan } from "./RowPlan.js"

const isPrintable = (code: number): boolean => code > 0x20 && code < 0x7f

/** The cell of a column without the space around it. Looking first is several times as fast as trimming. */
const cellOf = (column: Column, cells: Cells): string => {
  const cell = cells[column.index] ?? ""
  return cell === "" || (isPrintable(cell.charCodeAt(0)) && isPrintable(cell.charCodeAt(cell.length - 1)))
    ? cell
    : cell.trim()
}

/** What a column makes of its cell. What is wrong with it goes to `wrong`, and nothing comes out. */
const read = (column: Column, cells: Cells, wrong: Array<RejectedReason>): string => {
  const text = cellOf(column, cells) || column.default
  const value = column.transform === null ? text : column.transform(text)
  if (value === null) wrong.push(`transform_failed:${column.variable}`)
  else if (value === "" && column.required) wrong.push(`missing_required:${column.variable}`)
  return value ?? ""
}

const readPhone = ({ country, phone }: RowPlan, cells: Cells, wrong: Array<RejectedReason>): PhoneNumber | null => {
  const before = wrong.length
  const text = read(phone, cells, wrong)
  if (wrong.length > before) return null
  const number = normalisePhone(text, country)
  if (Either.isRight(number)) return number.right
  if (number.left === "missing") wrong.push("missing_phone_number")
  else wrong.push("invalid_phone_number")
  if (number.left === "scientific_notation") wrong.push("phone_scientific_notation")
  return null
}

/** The most characters that a person's values may have together. */
export const largestPerson = 131_072

const readAll = <Name extends string>(
  columns: ReadonlyArray<Column<Name>>,
  cells: Cells,
  { into, wrong }: { readonly into: { [Key in Name]?: string }; readonly wrong: Array<RejectedReason> }
): number => {
  let characters = 0
  for (const column of columns) {
    const value = read(column, cells, wrong)
    if (value !== "") into[column.variable] = value
    characters += value.length
    if (characters > largestPerson) break
  }
  return characters
}

/**
 * Reads one record of a file as a person, or says everything that is wrong with it. `row` is the record's number, 1 for
 * the one after the header. Values that come out empty are left out.
 */
export const checkRow = (
  plan: RowPlan,
  row: number,
  cells: Cells
): Either.Either<CheckedRow, ReadonlyArray<RejectedReason>> => {
  if (cells.length !== plan.width) return Either.left(["column_count_mismatch"])
  const wrong: Array<RejectedReason> = []
  const phone = readPhone(plan, cells, wrong)
  const identifier = plan.identifier === undefined ? "" : read(plan.identifier, cells, wrong)
  const agent_variables: Record<string, string> = {}
  const app_overrides: { [Name in OverrideName]?: string } = {}
  const characters = identifier.length + readAll(plan.variables, cells, { into: agent_variables, wrong }) +
    readAll(plan.overrides, cells, { into: app_overrides, wrong })
  if (characters > largestPerson) wrong.push("values_too_long")
  if (phone === null || wrong.length > 0) return Either.left(wrong)
  const user: CohortUser = {
    row,
    user_phone_number: phone,
    user_identifier: identifier || phone,
    agent_variables,
    app_overrides
  }
  const isOwn = plan.identifier !== undefined && identifier !== "" && cellOf(plan.identifier, cells) !== ""
  return Either.right({ user, identifier: isOwn ? identifier : null })
}
