import type { Filter } from "../api/types.js"
import { place, setQuery } from "../state/location.js"
import { Field } from "../ui/Field.js"

const Control = ({ filter, onChange, value }: { readonly filter: Filter; readonly value: string; readonly onChange: (text: string) => void }) => {
  if (filter.filter_type === "dropdown" || filter.filter_type === "boolean") {
    const options = filter.filter_type === "boolean" ? ["true", "false"] : filter.options
    return (
      <select class="input" value={value} onChange={(event) => onChange(event.currentTarget.value)}>
        <option value="">{filter.is_required ? "Choose" : "All"}</option>
        {options.map((option) => <option key={option} value={option}>{option}</option>)}
      </select>
    )
  }
  if (filter.filter_type === "date_range") {
    const [start = "", end = ""] = value.split("..")
    const change = (from: string, to: string) => onChange(from === "" && to === "" ? "" : `${from}..${to}`)
    return (
      <div class="row">
        <input class="input" type="date" aria-label={`${filter.display_label} from`} value={start} onChange={(event) => change(event.currentTarget.value, end)} />
        <input class="input" type="date" aria-label={`${filter.display_label} until`} value={end} onChange={(event) => change(start, event.currentTarget.value)} />
      </div>
    )
  }
  const placeholder = filter.default_value ?? (filter.filter_type === "list" ? "a, b, c" : "")
  return filter.filter_type === "date"
    ? <input class="input" type="date" value={value} onChange={(event) => onChange(event.currentTarget.value)} />
    : filter.filter_type === "number"
    ? <input class="input" type="number" placeholder={placeholder} value={value} onChange={(event) => onChange(event.currentTarget.value)} />
    : <input class="input" type="text" placeholder={placeholder} value={value} onChange={(event) => onChange(event.currentTarget.value)} />
}

/** The filters of a board; their values are in the address, so that a view can be shared. */
export const FilterBar = ({ filters }: { readonly filters: ReadonlyArray<Filter> }) => {
  if (filters.length === 0) return null
  return (
    <div class="filters">
      {filters.map((filter) => {
        const name = `f.${filter.internal_name}`
        const value = place.value.query.get(name) ?? ""
        const control = Control({ filter, value, onChange: (text) => setQuery({ [name]: text }) })
        return <Field key={filter.id} label={filter.display_label}>{control}</Field>
      })}
    </div>
  )
}
