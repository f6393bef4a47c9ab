import type { CohortsUploadBody } from "../api/types.js"

/** A list before its upload: the file, and which column is what. */
export interface ListDraft {
  readonly name: string
  readonly file: File | null
  readonly category: "cohort" | "stop_file"
  readonly phone: string
  readonly country: string
  readonly identifier: string
  readonly language: string
  /** Variables of the agent, by column. */
  readonly variables: Readonly<Record<string, string>>
}

export const newDraft = (): ListDraft => ({
  name: "",
  file: null,
  category: "cohort",
  phone: "",
  country: "IN",
  identifier: "",
  language: "",
  variables: {}
})

const column = (column_name: string) => ({ column_name })

/** The transformation of the interface that a draft stands for. */
export const transformationOf = ({ category, country, identifier, language, phone, variables }: ListDraft) => ({
  phone_number: { column_name: phone, country_code: country },
  ...(identifier !== "" && { user_identifier: column(identifier) }),
  app_variables: Object.fromEntries(
    Object.entries(category === "stop_file" ? {} : variables).filter(([, name]) => name !== "").map((
      [from, name]
    ) => [name, column(from)])
  ),
  ...(language !== "" && { app_overrides: { initial_language_name: column(language) } })
})

const jsonFile = (value: unknown) =>
  new File([JSON.stringify(value)], "transformation.json", { type: "application/json" })

/** The body of an upload. */
export const uploadBody = (draft: ListDraft): CohortsUploadBody => ({
  name: draft.name || (draft.file?.name ?? "List").replace(/\.[^.]*$/, "").replaceAll(/[^\w -]/g, " ").slice(0, 50),
  cohort_category: draft.category,
  cohort_transformation_file: jsonFile(transformationOf(draft)),
  cohort_file: draft.file ?? ""
})

/** The first column that matches the first pattern that any column matches. */
const guess = (columns: ReadonlyArray<string>, patterns: ReadonlyArray<RegExp>): string => {
  for (const pattern of patterns) {
    const column = columns.find((name) => pattern.test(name))
    if (column !== undefined) return column
  }
  return ""
}

const phonePatterns = [/phone|mobile|msisdn|whatsapp|telefon/i, /\b(cell|tel)\b/i, /number|nummer|contact/i]
const identifierPatterns = [/(^|[_ -])id$|identifier|customer.?id/i, /account/i]

/** Words of a name, in lower case and without accents: `Amount Due (₹)` has `amount` and `due`. */
const wordsIn = (name: string): ReadonlyArray<string> =>
  name.normalize("NFKD").replaceAll(/[\u0300-\u036f]/g, "").replaceAll(/([a-z])([A-Z])/g, "$1 $2").toLowerCase()
    .split(/[^\p{L}\p{M}\p{N}]+/u).filter((word) => word !== "")

/** Columns that name a variable by at least half of its words, each for the variable that it names best. */
const columnsFor = (declared: ReadonlyArray<string>, columns: ReadonlyArray<string>) => {
  const pairs = declared.flatMap((variable) => {
    const words = wordsIn(variable)
    return columns.map((name) => {
      const nameWords = wordsIn(name)
      const shared = words.filter((word) => nameWords.includes(word)).length
      return { name, variable, share: shared / Math.max(1, words.length), rest: nameWords.length - shared }
    })
  })
  const best = pairs.filter(({ share }) => share >= 0.5).sort((a, b) => b.share - a.share || a.rest - b.rest)
  return best.reduce<Readonly<Record<string, string>>>(
    (taken, { name, variable }) =>
      name in taken || Object.values(taken).includes(variable) ? taken : { ...taken, [name]: variable },
    {}
  )
}

/** A first mapping from the names of the columns; `declared` are the variables of the agent, or null where it takes any. */
export const guessed = (
  draft: ListDraft,
  columns: ReadonlyArray<string>,
  declared: ReadonlyArray<string> | null
): ListDraft => {
  const phone = guess(columns, phonePatterns)
  const identifier = guess(columns.filter((name) => name !== phone), identifierPatterns)
  const rest = columns.filter((name) => name !== phone && name !== identifier && name !== "")
  const variables = declared === null
    ? Object.fromEntries(rest.filter((name) => !/lang/i.test(name)).map((name) => [name, wordsIn(name).join("_")]))
    : columnsFor(declared, rest)
  return { ...draft, phone, identifier, variables }
}

/** Column that fills a variable; an empty text when none does. */
export const columnOf = ({ variables }: ListDraft, variable: string): string =>
  Object.entries(variables).find(([, name]) => name === variable)?.[0] ?? ""

/** Fills a variable from a column, and from no other one; an empty text leaves it empty. */
export const fill = (draft: ListDraft, variable: string, from: string): ListDraft => {
  const others = Object.entries(draft.variables).filter(([, name]) => name !== variable)
  return { ...draft, variables: { ...Object.fromEntries(others), ...(from !== "" && { [from]: variable }) } }
}
