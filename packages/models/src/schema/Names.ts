/** How much of a property's name is looked at, in UTF-16 units. */
const most = 60

/** A property's name in lower case with underscores between its words. */
export const snakeCase = (name: string): string =>
  name.slice(0, most).replace(/([\p{Ll}\d])(\p{Lu})/gu, "$1_$2").toLowerCase().replace(/[^\p{L}\p{M}\p{N}]+/gu, "_")

/** The words that a property's name is made of, in lower case. */
export const wordsOf = (name: string): ReadonlyArray<string> => snakeCase(name).split("_").filter((word) => word !== "")
