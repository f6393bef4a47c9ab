import { useSignal } from "@preact/signals"
import { useEffect } from "preact/hooks"
import { api } from "../api/client.js"
import type { FieldError, TrunklineError } from "@trunkline/client"
import { failureOf } from "../api/failure.js"
import type { CohortPreview, CohortsUploadBody } from "../api/types.js"
import { Field } from "../ui/Field.js"
import { FailureNote } from "../ui/Note.js"
import { ListPreview } from "./ListPreview.js"

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
export const transformationOf = ({ country, identifier, language, phone, variables }: ListDraft) => ({
  phone_number: { column_name: phone, country_code: country },
  ...(identifier !== "" && { user_identifier: column(identifier) }),
  app_variables: Object.fromEntries(
    Object.entries(variables).filter(([, name]) => name !== "").map(([from, name]) => [name, column(from)])
  ),
  ...(language !== "" && { app_overrides: { initial_language_name: column(language) } })
})

const jsonFile = (value: unknown) => new File([JSON.stringify(value)], "transformation.json", { type: "application/json" })

/** The body of an upload. */
export const uploadBody = (draft: ListDraft): CohortsUploadBody => ({
  name: draft.name || (draft.file?.name ?? "List").replace(/\.[^.]*$/, "").replaceAll(/[^\w -]/g, " ").slice(0, 50),
  cohort_category: draft.category,
  cohort_transformation_file: jsonFile(transformationOf(draft)),
  cohort_file: draft.file ?? ""
})

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

const guess = (columns: ReadonlyArray<string>, pattern: RegExp) => columns.find((name) => pattern.test(name)) ?? ""

/** A first mapping from the names of the columns. */
const guessed = (draft: ListDraft, columns: ReadonlyArray<string>): ListDraft => {
  const phone = guess(columns, /phone|mobile|number|contact|cell|tel/i)
  const identifier = guess(columns.filter((name) => name !== phone), /(^|[_ ])id$|identifier|customer.?id|account/i)
  const rest = columns.filter((name) => name !== phone && name !== identifier && !/lang/i.test(name) && name !== "")
  const variables = Object.fromEntries(rest.map((name) => [name, name.trim().toLowerCase().replaceAll(/\W+/g, "_")]))
  return { ...draft, phone, identifier, variables }
}

interface Props {
  readonly value: ListDraft
  readonly onChange: (draft: ListDraft) => void
  readonly issues: ReadonlyArray<FieldError>
}

/** File, mapping of its columns, and what the server would make of its rows. */
export const ListFields = ({ issues, onChange, value }: Props) => {
  const preview = useSignal<CohortPreview | undefined>(undefined)
  const failure = useSignal<TrunklineError | undefined>(undefined)
  const mapping = JSON.stringify(transformationOf(value))
  useEffect(() => {
    const { file } = value
    if (file === null) {
      preview.value = undefined
      return
    }
    let isCurrent = true
    const timer = setTimeout(() => {
      previewOf(value, file).then((read) => {
        if (!isCurrent) return
        preview.value = read
        failure.value = undefined
        if (value.phone === "") onChange(guessed(value, read.columns))
      }, (error: unknown) => {
        if (isCurrent) failure.value = failureOf(error)
      })
    }, 200)
    return () => {
      isCurrent = false
      clearTimeout(timer)
    }
  }, [value.file, mapping])
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
            <Field label="Phone number">{choice("phone", "Choose a column")}</Field>
            <Field label="Country of numbers without +">
              <input
                class="input"
                type="text"
                maxLength={2}
                value={value.country}
                onInput={(event) => set({ country: event.currentTarget.value.toUpperCase() })}
              />
            </Field>
            <Field label="Your id of the person">{choice("identifier", "The phone number")}</Field>
            <Field label="Language">{choice("language", "That of the agent")}</Field>
          </div>
          <div class="tight">
            <h3>Variables of the agent</h3>
            <p class="small muted">Each column may fill one variable. Clear a name to leave its column out.</p>
            <div class="fields">
              {columns.filter((name) => ![value.phone, value.identifier, value.language, ""].includes(name)).map((name) => (
                <Field key={name} label={name}>
                  <input
                    class="input mono"
                    type="text"
                    value={value.variables[name] ?? ""}
                    onInput={(event) => set({ variables: { ...value.variables, [name]: event.currentTarget.value } })}
                  />
                </Field>
              ))}
            </div>
          </div>
          {preview.value && <ListPreview preview={preview.value} isPart={(value.file?.size ?? 0) > previewBytes} />}
        </>
      )}
    </div>
  )
}
