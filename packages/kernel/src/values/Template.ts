/** A variable in a template, such as `{{name}}`; its name is the first group. */
export const placeholder = /\{\{\s*([^{}]*?)\s*\}\}/g

/** A variable that is opened by one brace and closed by two, which JSON in a text does not look like. */
const halfOpened = /\{\s*[\p{L}_][\p{L}\p{M}\p{N}_]{0,63}\s*\}\}/u

/** Longest part of a template that a message repeats, in UTF-16 units. */
const maxQuoteLength = 30

/** Names of the variables that a template uses, each once. */
export const templateVariables = (template: string): ReadonlyArray<string> =>
  Array.from(new Set(Array.from(template.matchAll(placeholder), ([, name = ""]) => name)))

/** Fault of a template; undefined for one that can be filled. */
export const templateFault = (template: string): string | undefined => {
  if (templateVariables(template).includes("")) return "{{}} names no variable: write one as {{name}}"
  const rest = template.replace(placeholder, (variable) => " ".repeat(variable.length))
  const at = rest.indexOf("{{")
  if (at >= 0) return `"${template.slice(at, at + maxQuoteLength)}" is not closed: write a variable as {{name}}`
  const [half = ""] = halfOpened.exec(rest) ?? []
  return half === "" ? undefined : `"${half}" is not opened: write a variable as {{name}}`
}
