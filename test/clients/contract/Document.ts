import { Ajv2020 } from "ajv/dist/2020.js"
import { readFileSync } from "node:fs"

/** A parameter of an operation. */
export interface Parameter {
  readonly name: string
  readonly in: "path" | "query" | "header"
  readonly required?: boolean
  readonly schema: object
}

interface Media {
  readonly schema?: object
  readonly example?: unknown
}

interface Answer {
  readonly content?: Readonly<Record<string, Media>>
  readonly headers?: Readonly<Record<string, object>>
}

/** An operation of the document, with its place. */
export interface Operation {
  readonly id: string
  readonly method: string
  readonly path: string
  readonly parameters: ReadonlyArray<Parameter>
  readonly isOpen: boolean
  readonly bodies: Readonly<Record<string, Media>>
  readonly answers: Readonly<Record<string, Answer>>
}

const document = JSON.parse(readFileSync(new URL("../../../docs/openapi.json", import.meta.url), "utf8"))

const methods = ["get", "post", "put", "patch", "delete"]

interface Declared {
  readonly operationId: string
  readonly parameters?: ReadonlyArray<Parameter>
  readonly requestBody?: { readonly content: Operation["bodies"] }
  readonly responses: Operation["answers"]
  readonly security?: ReadonlyArray<object>
}

/** Place of an operation in a run: removals are last, and what is within something comes before it. */
const order = ({ method, path }: Pick<Operation, "method" | "path">): number =>
  method === "DELETE" ? 1_000 - path.length : 0

/** Every operation of the document, in its order, with removals at the end. */
export const operations: ReadonlyArray<Operation> = Object.entries<Readonly<Record<string, Declared>>>(document.paths)
  .flatMap(([path, item]) =>
    Object.entries(item).filter(([method]) => methods.includes(method)).map(([method, declared]) => ({
      id: declared.operationId,
      method: method.toUpperCase(),
      path,
      parameters: declared.parameters ?? [],
      isOpen: (declared.security ?? []).length === 0 ||
        (declared.security ?? []).some((way) => Object.keys(way).length === 0),
      bodies: declared.requestBody?.content ?? {},
      answers: declared.responses
    }))
  )
  .toSorted((one, other) => order(one) - order(other))

const ajv = new Ajv2020({ strict: false, validateFormats: false, allErrors: true })
ajv.addSchema(document, "document")

const pointer = (...steps: ReadonlyArray<string>): string =>
  steps.map((step) => `/${encodeURIComponent(step.replaceAll("~", "~0").replaceAll("/", "~1"))}`).join("")

const faultsAt = (place: string, value: unknown): ReadonlyArray<string> => {
  const validate = ajv.getSchema(`document#${place}`) ?? ajv.compile({ $ref: `document#${place}` })
  return validate(value) === true
    ? []
    : (validate.errors ?? []).map(({ instancePath, message }) => `${instancePath}: ${message}`)
}

/** Faults of the body of a request, by its schema. */
export const bodyFaults = ({ method, path }: Operation, type: string, body: unknown): ReadonlyArray<string> =>
  faultsAt(pointer("paths", path, method.toLowerCase(), "requestBody", "content", type, "schema"), body)

/** A header that an answer of the document may name by reference. */
const headerOf = (header: object): { readonly required?: boolean } => {
  const name = "$ref" in header ? String(header.$ref).split("/").at(-1) ?? "" : ""
  return name === "" ? header : document.components.headers[name]
}

/** Faults of an answer: a status, type, header or body that the document does not declare. */
export const answerFaults = async (operation: Operation, response: Response): Promise<ReadonlyArray<string>> => {
  const { answers, method, path } = operation
  const status = String(response.status)
  const answer = answers[status]
  const [type = ""] = (response.headers.get("content-type") ?? "").split(";")
  const isStream = type === "text/event-stream"
  // Live events have no end.
  if (isStream) await response.body?.cancel()
  const text = isStream ? "" : await response.text()
  if (answer === undefined) return [`the status ${status} is not declared: ${text.slice(0, 300)}`]
  const missing = Object.entries(answer.headers ?? {}).filter(([name, header]) =>
    headerOf(header).required === true && !response.headers.has(name)
  )
  const faults = missing.map(([name]) => `${status}: the header ${name} is missing`)
  const types = Object.keys(answer.content ?? {})
  if (types.length === 0) return text === "" ? faults : [...faults, `${status}: has a body: ${text.slice(0, 100)}`]
  const declared = types.find((each) => each === type)
  if (declared === undefined) return [...faults, `${status}: ${type} is none of ${types.join(", ")}`]
  if (declared !== "application/json") return faults
  const place = pointer("paths", path, method.toLowerCase(), "responses", status, "content", declared, "schema")
  return [...faults, ...faultsAt(place, JSON.parse(text)).map((fault) => `${status} ${fault}`)]
}
