import { normalisePhone, type PhoneNumber } from "@trunkline/kernel"
import { Either, Option } from "effect"
import type { CohortUser } from "../Cohort.js"
import type { Cells } from "../csv/CsvReader.js"
import type { Column, RowPlan } from "./RowPlan.js"

/** Why a row is rejected: the codes of shapes 4.4. */
export type RejectedReason =
  | "column_count_mismatch"
  | "missing_phone_number"
  | "invalid_phone_number"
  | `missing_required:${string}`
  | `transform_failed:${string}`
  | "duplicate_phone_number"
  | "duplicate_user_identifier"

/** A row that is right by itself; whether its person is new is for `SeenUsers` to say. */
export interface CheckedRow {
  readonly user: CohortUser
  /** The identifier that the row itself gives; null when it is a default or the phone number. */
  readonly identifier: string | null
}

const cellOf = (column: Column, cells: Cells): string => cells[column.index]?.trim() ?? ""

const read = (column: Column, cells: Cells): Either.Either<string, RejectedReason> =>
  Option.match(column.transform(cellOf(column, cells) || column.default), {
    onNone: () => Either.left(`transform_failed:${column.variable}` as const),
    onSome: (value) =>
      value === "" && column.required
        ? Either.left(`missing_required:${column.variable}` as const)
        : Either.right(value)
  })

const readPhone = ({ country, phone }: RowPlan, cells: Cells): Either.Either<PhoneNumber, RejectedReason> =>
  Either.flatMap(read(phone, cells), (text) =>
    Either.mapLeft(
      normalisePhone(text, country),
      (rejection) => rejection === "missing" ? "missing_phone_number" : "invalid_phone_number"
    ))

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
  const take = (column: Column): string =>
    Either.getOrElse(read(column, cells), (reason) => {
      wrong.push(reason)
      return ""
    })
  const takeAll = (columns: ReadonlyArray<Column>) =>
    Object.fromEntries(columns.map((column) => [column.variable, take(column)]).filter(([, value]) => value !== ""))

  const phone = readPhone(plan, cells)
  const identifier = plan.identifier && take(plan.identifier)
  const agent_variables = takeAll(plan.variables)
  const app_overrides = takeAll(plan.overrides)
  if (Either.isLeft(phone)) return Either.left([phone.left, ...wrong])
  if (wrong.length > 0) return Either.left(wrong)
  return Either.right({
    user: {
      row,
      user_phone_number: phone.right,
      user_identifier: identifier || phone.right,
      agent_variables,
      app_overrides
    },
    identifier: plan.identifier && identifier && cellOf(plan.identifier, cells) !== "" ? identifier : null
  })
}

/** The people that a file has named so far: the first row of a number, and of an identifier, wins. */
export class SeenUsers {
  readonly #phones = new Set<string>()
  readonly #identifiers = new Set<string>()

  /** Takes a person in, or says what of it an earlier row took. A row that is refused takes nothing. */
  claim({ identifier, user }: CheckedRow): Either.Either<CohortUser, ReadonlyArray<RejectedReason>> {
    const taken: ReadonlyArray<RejectedReason> = [
      ...(this.#phones.has(user.user_phone_number) ? ["duplicate_phone_number" as const] : []),
      ...(identifier !== null && this.#identifiers.has(identifier) ? ["duplicate_user_identifier" as const] : [])
    ]
    if (taken.length > 0) return Either.left(taken)
    this.#phones.add(user.user_phone_number)
    if (identifier !== null) this.#identifiers.add(identifier)
    return Either.right(user)
  }
}
