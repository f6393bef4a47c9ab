import { inGroups, spelled, spelledGroups } from "./Figures.js"
import { matchAt, type Reader } from "./Place.js"

const end = "(?![\\d]|[.,]\\d|[-/:]\\d)"

const international = new RegExp(`\\+(\\d{1,3}[ -]?\\(?\\d{2,5}\\)?(?:[ -]?\\d{2,5}){0,3})${end}`, "y")

/** How numbers are written in India, with the groups that are read. Round ones such as 60000-70000 are none. */
const domestic: ReadonlyArray<RegExp> = [
  "(0?[6-9]\\d{4})(?!00000)(\\d{5})",
  "(0?[6-9]\\d{4})[ -](?!\\d{3}00)(\\d{5})",
  "([6-9]\\d{2})[ -](\\d{3})[ -](\\d{4})",
  "([6-9]\\d{3})[ -](\\d{3})[ -](\\d{3})",
  "(18[06]0)[ -]?(\\d{2,3})[ -]?(\\d{3,4})",
  "(0\\d{2,4})[ -](\\d{3,4})[ -]?(\\d{3,4})"
].map((source) => new RegExp(`${source}${end}`, "y"))

/** A country's code and the rest, where they are not parted. */
const countries = /^(91|1|44)(\d{10})$/

const groupsOf = (written: string): ReadonlyArray<string> => {
  const groups = written.split(/[ ()-]+/).filter((group) => group !== "")
  const country = countries.exec(groups.join(""))
  if (country?.[1] === "91" || groups.length === 1) {
    const [, code = "", rest = groups.join("")] = country ?? []
    return [
      ...(code === "" ? [] : [code]),
      ...(rest.length === 10 ? [rest.slice(0, 5), rest.slice(5)] : inGroups(rest))
    ]
  }
  return groups
}

/** Reads phone numbers figure by figure, in the groups they are written in, or else in fives as mobile numbers are told. */
export const phone: Reader = ({ at, language, text }) => {
  const abroad = matchAt(international, text, at)
  if (abroad !== null) {
    const groups = groupsOf(abroad[1] ?? "")
    const length = groups.join("").length
    if (length < 8 || length > 15) return undefined
    return { words: `${language.signs.plus} ${spelledGroups(language, groups)}`, end: at + abroad[0].length }
  }
  for (const pattern of domestic) {
    const found = matchAt(pattern, text, at)
    if (found !== null) {
      return { words: found.slice(1).map((group) => spelled(language, group)).join(", "), end: at + found[0].length }
    }
  }
  return undefined
}
