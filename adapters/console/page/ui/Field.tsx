import { cloneElement, type ComponentChildren, type VNode } from "preact"
import { useId } from "preact/hooks"
import type { FieldError } from "@trunkline/client"

interface Props {
  readonly label: string
  readonly hint?: ComponentChildren
  readonly issues?: ReadonlyArray<FieldError>
  /** Path of the field in the request, such as `allowed_schedule.timezone`; its issues are shown below it. */
  readonly path?: string
  readonly children: VNode<Record<string, unknown>>
}

/** The issues of a field and of what it holds. */
export const issuesAt = (issues: ReadonlyArray<FieldError>, path: string): ReadonlyArray<FieldError> =>
  issues.filter((issue) => {
    const name = issue.loc.join(".")
    return name === path || name.startsWith(`${path}.`)
  })

/** A control with its label, a hint and what the server found wrong with it. */
export const Field = ({ children, hint, issues = [], label, path }: Props) => {
  const id = useId()
  const fieldIssues = path === undefined ? [] : issuesAt(issues, path)
  const described = [...(hint ? [`${id}-hint`] : []), ...(fieldIssues.length > 0 ? [`${id}-issues`] : [])].join(" ")
  return (
    <div class="field">
      <label htmlFor={id}>{label}</label>
      {cloneElement(children, {
        id,
        "aria-describedby": described === "" ? undefined : described,
        "aria-invalid": fieldIssues.length > 0 ? "true" : undefined
      })}
      {hint && <span class="hint" id={`${id}-hint`}>{hint}</span>}
      {fieldIssues.length > 0 && (
        <span class="problem" id={`${id}-issues`} role="alert">{fieldIssues.map(({ msg }) => msg).join(" ")}</span>
      )}
    </div>
  )
}
