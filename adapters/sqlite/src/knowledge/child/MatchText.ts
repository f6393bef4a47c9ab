import type { SearchTerm } from "@trunkline/knowledge"

/**
 * A term in the language of FTS5. Stems consist of letters, marks and digits, so that the quotes hold whatever a question said
 * (https://sqlite.org/fts5.html#fts5_strings).
 */
const termText = ({ isPrefix, stems }: SearchTerm): string => `"${stems.join(" ")}"${isPrefix ? " *" : ""}`

/** A query for passages with any or all of the terms. */
export const matchText = (terms: ReadonlyArray<SearchTerm>, join: "AND" | "OR"): string =>
  terms.map(termText).join(` ${join} `)
