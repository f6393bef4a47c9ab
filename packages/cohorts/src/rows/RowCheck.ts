import { normalizePhone, type PhoneNumber } from "@trunkline/kernel"
import { Either } from "effect"
import { type CohortUser, OverrideName } from "../Cohort.js"
import type { Cells } from "../csv/Csv.js"
import { readRejectedRow } from "../csv/RejectedRows.js"
import { overrideFault, overrideValue } from "../transformation/OverrideFault.js"
import type { ColumnPlan, RowPlan } from "./RowPlan.js"

/**
 * Code of a reason for which a row is rejected. `phone_scientific_notation` accompanies `invalid_phone_number` where a
 * spreadsheet has shortened the number, as in `9.1987E+11`. `invalid_value` is an unknown language, or a text with a variable
 * that is not written as `{{name}}`. `values_too_long` means that the values of a user have more
 * than 131,072 characters together.
 */
export type RejectedReason =
  | "column_count_mismatch"
  | "missing_phone_number"
  | "invalid_phone_number"
  | "phone_scientific_notation"
  | `missing_required:${string}`
  | `transform_failed:${string}`
  | `invalid_value:${OverrideName}`
  | "duplicate_phone_number"
  | "duplicate_user_identifier"
  | "values_too_long"

/** A row that is valid on its own; `SeenUsers` checks it for duplicates. */
export interface CheckedRow {
  readonly user: CohortUser
  /** The identifier in the row itself; null when it is a default or the phone number. */
  readonly identifier: string | null
}

/** True for a cell that is more than spaces. */
export const hasValue = (cell: string | undefined): boolean => cell !== undefined && cell.trim() !== ""

const isPrintable = (code: number): boolean => code > 0x20 && code < 0x7f

/** A text in the formula by which spreadsheets keep leading zeros, as in `="00123"`; rejected rows have them after an apostrophe. */
const textFormula = /^'?="([^"]*)"$/

/** The trimmed cell of a column, out of the formula of a text. Checking the ends first is several times as fast as always trimming. */
const trimmedCell = (column: ColumnPlan, cells: Cells): string => {
  const cell = cells[column.index] ?? ""
  const text = cell === "" || (isPrintable(cell.charCodeAt(0)) && isPrintable(cell.charCodeAt(cell.length - 1)))
    ? cell
    : cell.trim()
  return text.endsWith("\"") ? textFormula.exec(text)?.[1]?.trim() ?? text : text
}

/** The value of a column in a row. An invalid one is empty, and its reason is added to `reasons`. */
const readValue = (column: ColumnPlan, cells: Cells, reasons: Array<RejectedReason>): string => {
  const text = trimmedCell(column, cells) || column.default
  const value = column.transform === null ? text : column.transform(text)
  if (value === null) reasons.push(`transform_failed:${column.variable}`)
  else if (value === "" && column.required) reasons.push(`missing_required:${column.variable}`)
  return value ?? ""
}

const readPhone = ({ country, phone }: RowPlan, cells: Cells, reasons: Array<RejectedReason>): PhoneNumber | null => {
  const before = reasons.length
  const text = readValue(phone, cells, reasons)
  if (reasons.length > before) return null
  const number = normalizePhone(text, country)
  if (Either.isRight(number)) return number.right
  if (number.left === "missing") reasons.push("missing_phone_number")
  else reasons.push("invalid_phone_number")
  if (number.left === "scientific_notation") reasons.push("phone_scientific_notation")
  return null
}

/** Most characters of all values of a user. */
export const maxUserCharacters = 131_072

const readAll = <Name extends string>(
  columns: ReadonlyArray<ColumnPlan<Name>>,
  cells: Cells,
  { into, reasons }: { readonly into: { [Key in Name]?: string }; readonly reasons: Array<RejectedReason> }
): number => {
  let characters = 0
  for (const column of columns) {
    const value = readValue(column, cells, reasons)
    if (value !== "") into[column.variable] = value
    characters += value.length
    if (characters > maxUserCharacters) break
  }
  return characters
}

/** Adds the reasons of overrides that no call can use, and names languages as calls do. */
const checkOverrides = (overrides: { [Name in OverrideName]?: string }, reasons: Array<RejectedReason>): void => {
  for (const name of OverrideName.literals) {
    const value = overrides[name]
    if (value === undefined) continue
    if (overrideFault(name, value) === undefined) overrides[name] = overrideValue(name, value)
    else reasons.push(`invalid_value:${name}`)
  }
}

/** True for a row with a value in a column without a name. */
const hasUnnamedValue = ({ unnamedColumns }: RowPlan, cells: Cells): boolean => {
  for (const index of unnamedColumns) if (hasValue(cells[index])) return true
  return false
}

/** True for a row of a file of rejected rows with cells that are missing or too many; empty ones are not too many. */
const hasOtherCells = (header: Cells, plan: RowPlan, cells: Cells): boolean => {
  const { hasColumnMismatch, values } = readRejectedRow(header, cells)
  return hasColumnMismatch || values.slice(plan.width).some(hasValue) || hasUnnamedValue(plan, values)
}

/** True for a row with too few or too many cells, or with a value in a column without a name. */
const hasOtherColumns = (plan: RowPlan, cells: Cells): boolean => {
  if (cells.length < plan.least) return true
  if (plan.rejectionHeader !== null) return hasOtherCells(plan.rejectionHeader, plan, cells)
  return cells.length > plan.width || hasUnnamedValue(plan, cells)
}

/**
 * Reads a record of a file as a user, or returns all reasons for its rejection. `row` is the number of the record, 1 for
 * the first one after the header. Empty values are left out.
 */
export const checkRow = (
  plan: RowPlan,
  row: number,
  cells: Cells
): Either.Either<CheckedRow, ReadonlyArray<RejectedReason>> => {
  if (hasOtherColumns(plan, cells)) return Either.left(["column_count_mismatch"])
  const reasons: Array<RejectedReason> = []
  const phone = readPhone(plan, cells, reasons)
  const identifier = plan.identifier === undefined ? "" : readValue(plan.identifier, cells, reasons)
  const agent_variables: Record<string, string> = {}
  const app_overrides: { [Name in OverrideName]?: string } = {}
  const characters = identifier.length + readAll(plan.variables, cells, { into: agent_variables, reasons }) +
    readAll(plan.overrides, cells, { into: app_overrides, reasons })
  checkOverrides(app_overrides, reasons)
  if (characters > maxUserCharacters) reasons.push("values_too_long")
  if (phone === null || reasons.length > 0) return Either.left(reasons)
  const user: CohortUser = {
    row,
    user_phone_number: phone,
    user_identifier: identifier || phone,
    agent_variables,
    app_overrides
  }
  const isOwn = plan.identifier !== undefined && identifier !== "" && trimmedCell(plan.identifier, cells) !== ""
  return Either.right({ user, identifier: isOwn ? identifier : null })
}
