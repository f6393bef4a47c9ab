/** Transformation for the columns of `importFile`. */
export const importTransformation = {
  phone_number: { column_name: "mobile" },
  user_identifier: { column_name: "id" },
  app_variables: { customer_name: { column_name: "name", required: true }, city: { column_name: "city" } }
}

const phone = (row: number) => String(9_700_000_000 + row * 7_919 % 1_000_003)

/** Faults and oddities of some rows. */
const peculiar: ReadonlyArray<(row: number) => string> = [
  (row) => `p${row},"Rao, ""Asha""\nof two lines",+91 ${phone(row)},पुणे`,
  (row) => `p${row},,${phone(row)},Delhi`,
  (row) => `p${row},Seen before,${phone(row - 1)},Delhi`,
  (row) => `p${row - 2},Seen before,${phone(row)},Delhi`,
  (row) => `p${row},No number,12,Delhi`,
  (row) => `p${row},Too short`
]

/** A CSV of so many people, every seventh of them peculiar. */
export const importFile = (rows: number): string =>
  `id,name,mobile,city\n${
    Array.from({ length: rows }, (_, row) =>
      (row % 7 === 3 ? peculiar[row % peculiar.length] : undefined)?.(row)
        ?? `p${row},Person ${row},${phone(row)},Mumbai`).join("\n")
  }\n`
