import { useSignal } from "@preact/signals"
import { useEffect } from "preact/hooks"
import { api } from "../api/client.js"
import type { FieldError, TrunklineError } from "@trunkline/client"
import { failureOf } from "../api/failure.js"
import type { CohortPreview } from "../api/types.js"
import { Field } from "../ui/Field.js"
import { FailureNote } from "../ui/Note.js"
import { ListPreview } from "./ListPreview.js"
import { columnOf, fill, guessed, type ListDraft, newDraft, transformationOf } from "./mapping.js"

/** As much of a file as a preview reads. */
const previewBytes = 250_000

/** The beginning of a file as text, up to the end of a row; spreadsheets also write UTF-16. */
const beginningOf = async (file: File): Promise<string> => {
  const bytes = new Uint8Array(await file.slice(0, previewBytes).arrayBuffer())
  const encoding = bytes[0] === 0xff && bytes[1] === 0xfe ? "utf-16le" : bytes[0] === 0xfe && bytes[1] === 0xff ? "utf-16be" : "utf-8"
  const text = new TextDecoder(encoding).decode(bytes)
  return file.size <= previewBytes ? text : text.slice(0, text.lastIndexOf("\n") + 1)
}

const previewOf = async (draft: ListDraft, file: File) =>
  api().cohorts.preview({
    csv: await beginningOf(file),
    ...(draft.phone !== "" && { cohort_transformation: transformationOf(draft) })
  })

interface Props {
  readonly value: ListDraft
  readonly onChange: (draft: ListDraft) => void
  readonly issues: ReadonlyArray<FieldError>
  /** Variables that the agent has; null where it takes any, undefined until that is known. */
  readonly declared: ReadonlyArray<string> | null | undefined
}

const variablePath = "cohort_transformation_file.app_variables"

type VariablesProps = Omit<Props, "declared"> & {
  readonly declared: ReadonlyArray<string> | null
  /** Columns that are left for variables. */
  readonly columns: ReadonlyArray<string>
}

/** The columns that fill the variables of the agent; where it takes any, the variable that each column fills. */
const Variables = ({ columns, declared, issues, onChange, value }: VariablesProps) => {
  const unfilled = (declared ?? []).filter((name) => columnOf(value, name) === "")
  if (declared !== null && declared.length === 0) return <p class="small muted">The agent has no variables: it needs numbers only.</p>
  return (
    <div class="tight">
      <h3>What the agent knows of each person</h3>
      <p class="small muted">
        {declared === null
          ? "Each column may fill one variable of the agent. Clear a name to leave its column out."
          : "The agent has these variables. Choose the column that fills each; other columns are not used."}
      </p>
      <div class="fields">
        {declared === null
          ? columns.map((name) => (
            <Field key={name} label={name} path={`${variablePath}.${value.variables[name] ?? ""}`} issues={issues}>
              <input
                class="input mono"
                type="text"
                value={value.variables[name] ?? ""}
                onInput={(event) => onChange({ ...value, variables: { ...value.variables, [name]: event.currentTarget.value } })}
              />
            </Field>
          ))
          : declared.map((variable) => (
            <Field key={variable} label={variable} path={`${variablePath}.${variable}`} issues={issues}>
              <select class="input" value={columnOf(value, variable)} onChange={(event) => onChange(fill(value, variable, event.currentTarget.value))}>
                <option value="">Left empty</option>
                {columns.map((name) => <option key={name} value={name}>{name}</option>)}
              </select>
            </Field>
          ))}
      </div>
      {unfilled.length > 0 && <p class="small">No column fills <span class="mono">{unfilled.join(", ")}</span>: the agent says nothing in {unfilled.length === 1 ? "its" : "their"} place.</p>}
    </div>
  )
}

/** File, mapping of its columns, and what the server would make of its rows. */
export const ListFields = ({ declared, issues, onChange, value }: Props) => {
  const preview = useSignal<CohortPreview | undefined>(undefined)
  const failure = useSignal<TrunklineError | undefined>(undefined)
  const mapping = JSON.stringify(transformationOf(value))
  useEffect(() => {
    const { file } = value
    if (file === null || declared === undefined) {
      preview.value = undefined
      return
    }
    let isCurrent = true
    const timer = setTimeout(() => {
      previewOf(value, file).then((read) => {
        if (!isCurrent) return
        preview.value = read
        failure.value = undefined
        if (value.phone === "") onChange(guessed(value, read.columns, declared))
      }, (error: unknown) => {
        if (isCurrent) failure.value = failureOf(error)
      })
    }, 200)
    return () => {
      isCurrent = false
      clearTimeout(timer)
    }
  }, [value.file, mapping, declared === undefined])
  const columns = preview.value?.columns ?? []
  const set = (changes: Partial<ListDraft>) => onChange({ ...value, ...changes })
  const choice = (name: "phone" | "identifier" | "language", empty: string) => (
    <select class="input" value={value[name]} onChange={(event) => set({ [name]: event.currentTarget.value })}>
      <option value="">{empty}</option>
      {columns.map((each) => <option key={each} value={each}>{each}</option>)}
    </select>
  )
  return (
    <div class="stack">
      <div class="fields">
        <Field label="CSV file" hint="Commas, semicolons or tabs; the first row names the columns." path="cohort_file" issues={issues}>
          <input
            class="input"
            type="file"
            accept=".csv,.tsv,.txt,text/csv"
            onChange={(event) => onChange({ ...newDraft(), name: value.name, category: value.category, file: event.currentTarget.files?.[0] ?? null })}
          />
        </Field>
        <Field label="Name" hint="That of the file by default." path="name" issues={issues}>
          <input class="input" type="text" maxLength={50} value={value.name} onInput={(event) => set({ name: event.currentTarget.value })} />
        </Field>
        <Field label="Kind" path="cohort_category" issues={issues}>
          <select
            class="input"
            value={value.category}
            onChange={(event) => set({ category: event.currentTarget.value === "stop_file" ? "stop_file" : "cohort" })}
          >
            <option value="cohort">People to call</option>
            <option value="stop_file">People not to call any more</option>
          </select>
        </Field>
      </div>
      <FailureNote failure={failure.value} />
      {columns.length > 0 && (
        <>
          <div class="fields">
            <Field label="Phone number" hint={value.phone === "" ? "Choose the column with the numbers." : undefined}>{choice("phone", "Choose a column")}</Field>
            <Field label="Country of numbers" hint="Of those without + and a country code.">
              <input
                class="input"
                type="text"
                maxLength={2}
                value={value.country}
                onInput={(event) => set({ country: event.currentTarget.value.toUpperCase() })}
              />
            </Field>
            <Field label="Your id of each person">{choice("identifier", "The phone number")}</Field>
            <Field label="Language">{choice("language", "That of the agent")}</Field>
          </div>
          {value.category === "cohort" && declared !== undefined && (
            <Variables
              value={value}
              onChange={onChange}
              issues={issues}
              declared={declared}
              columns={columns.filter((name) => ![value.phone, value.identifier, value.language, ""].includes(name))}
            />
          )}
          {preview.value && <ListPreview preview={preview.value} isPart={(value.file?.size ?? 0) > previewBytes} />}
        </>
      )}
    </div>
  )
}
