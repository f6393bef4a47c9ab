// Writes the types and the table of operations of `@trunkline/client` from docs/openapi.json, with the comments of the
// sources. With --check it writes nothing, and fails where a file is not as it would be written.
import { readFileSync } from "node:fs"
import { resourceTable } from "../adapters/trunkline/src/promises/ResourceTable.ts"
import { nameRepeats } from "./named-repeats.mjs"
import { camel, comment, fieldDoc, keyOf, listOf, namedDocs, union, writeOrCheck } from "./written-types.mjs"

const document = JSON.parse(readFileSync("docs/openapi.json", "utf8"))
const { schemas } = document.components

const written = new Map()

/** True while the arguments of methods are written, in which a moment may be a `Date` and a file a stream. */
let isGiven = false

const isRecord = ({ type, properties }) => type === "object" && Object.keys(properties ?? {}).length > 0

/** A description, unless it only says in words what a schema checks. */
const meaningOf = ({ description = "" }) =>
  /^(an?|the) (string|number|array|integer|positive|non)\b/.test(description) ? "" : description

/** Comment of a field. */
const textOf = (name, names, schema) => fieldDoc(name, names) ?? meaningOf(schema)

const bodyOf = ({ additionalProperties, properties, required = [] }) => {
  const names = new Set(Object.keys(properties))
  const fields = Object.entries(properties).map(([name, schema]) =>
    `${comment(textOf(name, names, schema))}readonly ${keyOf(name)}${required.includes(name) ? "" : "?"}: ${
      typeOf(schema)
    }${required.includes(name) ? "" : " | undefined"}`
  )
  const others = typeof additionalProperties === "object"
    ? [`readonly [key: string]: ${typeOf(additionalProperties)}`]
    : []
  return `{\n${[...fields, ...others].join("\n")}\n}`
}

/** Writes a record under a name. */
const named = (name, schema) => {
  if (written.has(name)) return name
  written.set(name, "")
  written.set(name, `${comment(namedDocs.get(name))}export interface ${name} ${bodyOf(schema)}`)
  return name
}

/** The type of a component: a record or a union by its name, and anything else as it is. */
const ofComponent = (name) => {
  const schema = schemas[name]
  if (isRecord(schema)) return named(name, schema)
  if (schema.anyOf === undefined && schema.oneOf === undefined) return typeOf(schema)
  if (!written.has(name)) {
    written.set(name, "")
    written.set(name, `${comment(namedDocs.get(name))}export type ${name} = ${typeOf(schema)}`)
  }
  return name
}

const ofObject = (schema) => {
  if (isRecord(schema)) return bodyOf(schema)
  const { additionalProperties, patternProperties = {} } = schema
  const [pattern] = Object.values(patternProperties)
  const others = pattern ?? (typeof additionalProperties === "object" ? additionalProperties : undefined)
  return `{ readonly [key: string]: ${others === undefined ? "unknown" : typeOf(others)} }`
}

/** Options of a union, with those of unions in it. */
const optionsOf = (schema) => (schema.anyOf ?? schema.oneOf)?.flatMap(optionsOf) ?? [schema]

/** The type of a schema of the document. */
const typeOf = (schema) => {
  if (schema.$ref !== undefined) return ofComponent(schema.$ref.split("/").at(-1))
  if (schema.const !== undefined) return JSON.stringify(schema.const)
  if (schema.enum) return union(schema.enum.map((value) => JSON.stringify(value)))
  if (schema.anyOf ?? schema.oneOf) return union(optionsOf(schema).map(typeOf))
  if (schema.allOf) return schema.allOf.map(typeOf).join(" & ")
  if (Array.isArray(schema.type)) return union(schema.type.map((type) => typeOf({ ...schema, type })))
  switch (schema.type) {
    case "string":
      return schema.format === "binary"
        ? "FileInput"
        : isGiven && schema.format === "date-time"
        ? "string | Date"
        : "string"
    case "integer":
    case "number":
      return "number"
    case "boolean":
      return "boolean"
    case "null":
      return "null"
    case "array":
      return schema.prefixItems
        ? `readonly [${schema.prefixItems.map(typeOf).join(", ")}]`
        : listOf(typeOf(schema.items))
    case "object":
      return ofObject(schema)
    default:
      return "unknown"
  }
}

/** Writes types of arguments. */
const given = (write) => {
  isGiven = true
  try {
    return write()
  } finally {
    isGiven = false
  }
}

const operations = new Map(
  Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => [operation.operationId, { method, operation, path }])
  )
)

const workspace = ["org_id", "workspace_id"]
const capital = (name) => `${name[0].toUpperCase()}${name.slice(1)}`

/** Parts of an operation that its method and its route both need. */
const partsOf = (operationId) => {
  const { method, operation, path } = operations.get(operationId)
  const query = operation.parameters.filter((parameter) => parameter.in === "query")
  const [[form, content] = []] = Object.entries(operation.requestBody?.content ?? {})
  const [, success] = Object.entries(operation.responses).find(([status]) => status.startsWith("2")) ?? []
  const [[type, answer] = []] = Object.entries(success?.content ?? {})
  return {
    method,
    operation,
    path,
    ids: Array.from(path.matchAll(/\{(\w+)\}/g), ([, name]) => name).filter((name) => !workspace.includes(name)),
    query,
    body: content?.schema,
    form: form === undefined ? undefined : form === "application/json" ? "json" : "form",
    isPaged: query.some(({ name }) => name === "offset" || name === "after"),
    answer: type === undefined ? undefined : type === "application/json" ? answer.schema : "bytes"
  }
}

/** The schema of a body, with the fields that are there. */
const resolved = (schema) => schema?.$ref === undefined ? schema : schemas[schema.$ref.split("/").at(-1)]

/** Values of a parameter of a query, which are text in a URL. */
const queryType = ({ schema }) => given(() => schema.contentMediaType === undefined ? typeOf(schema) : "string")

const methodOf = (resource, method, operationId) => {
  const { answer, body, ids, isPaged, operation, query } = partsOf(operationId)
  const title = `${capital(resource)}${capital(method)}`
  const parameters = ids.map((id) => `${camel(id)}: ${id === "app_version" ? "number | string" : "string"}`)
  if (body !== undefined) {
    const type = given(() => body.$ref === undefined && isRecord(body) ? named(`${title}Body`, body) : typeOf(body))
    parameters.push(`body${(resolved(body).required ?? []).length === 0 ? "?" : ""}: ${type}`)
  }
  if (query.length > 0) {
    const name = `${title}Query`
    const fields = query.map((parameter) =>
      `${comment(meaningOf(parameter))}readonly ${parameter.name}${parameter.required ? "" : "?"}: ${
        queryType(parameter)
      }`
    )
    written.set(name, `export interface ${name} {\n${fields.join("\n")}\n}`)
    parameters.push(`query${query.some(({ required }) => required) ? "" : "?"}: ${name}`)
  }
  parameters.push("options?: CallOptions")
  const result = answer === undefined ? "void" : answer === "bytes" ? "ByteStream" : typeOf(answer)
  const promise = isPaged ? `PagePromise<${result}>` : `Promise<${result}>`
  const doc = `${operation.summary}.`
  const plain = `${comment(doc)}${method}(${parameters.join(", ")}): ${promise}`
  const events = operation.responses[200]?.content?.["text/event-stream"]
  if (events === undefined) return plain
  const streamed = parameters.join(", ").replace(/body: (\w+)/, "body: $1 & { readonly stream: true }")
  return `${
    comment(`${doc} With \`stream: true\`, resolves with its events as they come.`)
  }${method}(${streamed}): Promise<EventStream<${typeOf(events.schema)}>>\n${plain}`
}

/** The path of a route, with the workspace left out: `:w` stands for both of its names. */
const routeOf = (operationId) => {
  const { answer, form, isPaged, method, path, query } = partsOf(operationId)
  const flags = [form, query.length > 0 && "query", isPaged && "page", answer === "bytes" && "bytes"].filter(Boolean)
  return [method.toUpperCase(), path, ...flags].join(" ")
}

const interfaces = Object.entries(resourceTable).map(([resource, methods]) =>
  `/** Methods of \`trunkline.${resource}\`. */\nexport interface ${capital(resource)} {\n${
    Object.entries(methods).map(([method, id]) => methodOf(resource, method, id)).join("\n")
  }\n}`
)

const bodies = Object.entries(document.webhooks).map(([, { post }]) =>
  typeOf(post.requestBody.content["application/json"].schema)
)

/** Events of calls, which a client reads as they come. */
typeOf(operations.get("calls.live").operation.responses[200].content["text/event-stream"].schema)

const types = [
  "// Written by docs/client.mjs from docs/openapi.json. Do not edit.",
  `import type { ByteStream, CallOptions, EventStream, FileInput, PagePromise } from "../Results.js"`,
  ...Array.from(written).sort(([left], [right]) => left.localeCompare(right)).map(([, text]) => text),
  `/** Body of a webhook or of a report. \`in\` tells kinds apart, such as \`"cohort_id" in body\`. */
export type WebhookBody = ${bodies.filter((name) => name !== "ReportMessage").join(" | ")}`,
  ...interfaces,
  `/** Every resource of the HTTP interface. */\nexport interface Resources {\n${
    Object.keys(resourceTable).map((resource) => `readonly ${resource}: ${capital(resource)}`).join("\n")
  }\n}`
].join("\n\n")

const routes = Object.entries(resourceTable).map(([resource, methods]) =>
  `${resource}: {\n${
    Object.entries(methods).map(([method, id]) => `${method}: ${JSON.stringify(routeOf(id))}`).join(",\n")
  }\n}`
)

const table = [
  "// Written by docs/client.mjs from docs/openapi.json. Do not edit.",
  `/**
 * Operations by resource and method: the HTTP method, the path, and what else the request has: a body as \`json\` or \`form\`, a
 * \`query\`, a \`page\` of several, an answer in \`bytes\`.
 */
export const routes = {\n${routes.join(",\n")}\n} as const`
].join("\n\n")

writeOrCheck("adapters/client/src/generated", { "Types.ts": nameRepeats(types), "Routes.ts": table }, "docs:client")
