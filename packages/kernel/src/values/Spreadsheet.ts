/**
 * Positions that need an apostrophe: the start of a cell that begins with a line end, and the start of every line that
 * begins with a formula character. Spreadsheets skip leading spaces, and Japanese ones accept full-width characters.
 */
const formulaStart = /^(?=[^\S\r\n\t]*[\r\n])|(?<=^|\r(?!\n)|\n)(?=[^\S\r\n\t]*[=+\-@\t＝＋－＠])/g

/** Matches every cell that may have such a position; most cells do not. */
const mayHaveFormula = /^[\s=+\-@＝＋－＠]|[\r\n]/

/**
 * Escapes a cell of a CSV file so that no spreadsheet evaluates it as a formula. An apostrophe is inserted before the
 * cell, and before each line in it, that begins with `=`, `+`, `-`, `@`, one of their full-width forms, a tab or a line
 * end, with or without spaces before it (OWASP, CSV Injection; OWASP/www-community issues 1088 and 1115).
 *
 * Takes time proportional to the length of the cell.
 *
 * @example
 * ```ts
 * escapeFormula("=1+1") // "'=1+1"
 * ```
 */
export const escapeFormula = (cell: string): string =>
  mayHaveFormula.test(cell) ? cell.replace(formulaStart, "'") : cell
