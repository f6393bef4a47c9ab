import type { Filter, FilterValues } from "../api/types.js"

/** A value as the address has it: a list is separated by commas, a range of dates by `..`. */
export const valueOf = (filter: Filter, text: string): FilterValues[string]["value"] => {
  switch (filter.filter_type) {
    case "number":
      return Number(text)
    case "boolean":
      return text === "true"
    case "list":
      return text.split(",").map((part) => part.trim()).filter((part) => part !== "")
    case "date_range": {
      const [start = "", end = ""] = text.split("..")
      return { start, end }
    }
    default:
      return text
  }
}

/** Filter values of a request from the query of the address, where they are named `f.NAME`. */
export const filterValues = (filters: ReadonlyArray<Filter>, query: URLSearchParams): FilterValues =>
  Object.fromEntries(
    filters.flatMap((filter) => {
      const text = query.get(`f.${filter.internal_name}`)
      return text === null || text === ""
        ? []
        : [[filter.internal_name, { filter_type: filter.filter_type, value: valueOf(filter, text) }]]
    })
  )
