// Writes the plain types of the package `trunkline` from the schemas of the HTTP interface, with the comments of their
// fields. With --check it writes nothing, and fails where the file is not as it would be written.
import { HttpApi } from "@effect/platform"
import { BrowserCallSettings, CallEnded, CallLimitSettings, Configuration } from "@trunkline/engine"
import { mainRules } from "@trunkline/errors"
import * as errors from "@trunkline/errors"
import { Api } from "@trunkline/http-api"
import { Timestamp } from "@trunkline/kernel"
import { efforts } from "@trunkline/models"
import { ReportMessage } from "@trunkline/notifications"
import { Callee, LiveEvent, SimulatorRule } from "@trunkline/telephony"
import {
  CampaignAttemptPayload,
  CanaryEndedPayload,
  InboundCallPayload,
  OutboundCallPayload
} from "@trunkline/webhooks"
import { Option, Schema, SchemaAST as AST } from "effect"
import { existsSync, readdirSync } from "node:fs"
import { join } from "node:path"
import ts from "typescript"
import * as optionSchemas from "../adapters/trunkline/src/options/OptionSchemas.ts"
import { resourceTable } from "../adapters/trunkline/src/promises/ResourceTable.ts"
import { nameRepeats } from "./named-repeats.mjs"
import { camel, comment, fieldDoc, keyOf, listOf, namedDocs, sources, union, writeOrCheck } from "./written-types.mjs"

const folder = "adapters/trunkline/src/generated"

/** Names of the exported schemas of all packages, by their syntax trees. */
const exportedNames = new Map()
for (const name of readdirSync("packages")) {
  if (!existsSync(join("packages", name, "src/index.ts"))) continue
  for (const [key, value] of Object.entries(await import(`@trunkline/${name}`))) {
    if (Schema.isSchema(value) && !exportedNames.has(value.ast)) exportedNames.set(value.ast, key)
  }
}

/** Options of `createTrunkline` that are plain data, by the names of their types. */
const options = { BrowserCallOptions: BrowserCallSettings, CallLimitOptions: CallLimitSettings, ...optionSchemas }
for (const [name, { ast }] of Object.entries(options)) {
  namedDocs.set(name, namedDocs.get(exportedNames.get(ast) ?? name))
  exportedNames.set(ast, name)
}

const written = new Map()
const named = new Map()

/** The type of a JSON Schema, for schemas that state their wire form themselves. */
const ofJsonSchema = (json) => {
  if (json?.const !== undefined) return JSON.stringify(json.const)
  if (json?.oneOf) return union(json.oneOf.map(ofJsonSchema))
  if (Array.isArray(json?.type)) return union(json.type.map((type) => ofJsonSchema({ ...json, type })))
  if (json?.enum) return union(json.enum.map((value) => JSON.stringify(value)))
  if (json?.anyOf) return union(json.anyOf.map(ofJsonSchema))
  if (json?.format === "binary") return "Blob | Uint8Array | string"
  switch (json?.type) {
    case "string":
      return "string"
    case "integer":
    case "number":
      return "number"
    case "boolean":
      return "boolean"
    case "null":
      return "null"
    case "array":
      return listOf(ofJsonSchema(json.items))
    case "object": {
      if (!json.properties || Object.keys(json.properties).length === 0) {
        return typeof json.additionalProperties === "object"
          ? `{ readonly [key: string]: ${ofJsonSchema(json.additionalProperties)} }`
          : "{ readonly [key: string]: unknown }"
      }
      const names = new Set(Object.keys(json.properties))
      const fields = Object.entries(json.properties).map(([name, value]) =>
        `${comment(value.description ?? fieldDoc(name, names))}readonly ${keyOf(name)}${
          json.required?.includes(name) ? "" : "?"
        }: ${ofJsonSchema(value)}`
      )
      return `{\n${fields.join("\n")}\n}`
    }
    default:
      return "unknown"
  }
}

/** The name of a schema: that of its class, or its export. */
const nameOf = (ast) => {
  const exported = exportedNames.get(ast)
  if (exported !== undefined) return exported
  const identifier = Option.getOrUndefined(AST.getIdentifierAnnotation(ast)) ??
    (ast._tag === "Transformation" ? Option.getOrUndefined(AST.getIdentifierAnnotation(ast.to)) : undefined)
  return identifier !== undefined && /^[A-Z]\w*$/.test(identifier) ? identifier : undefined
}

/** The type literal on the encoded side of a schema, if it is one. */
const literalOf = (ast) => {
  switch (ast._tag) {
    case "Transformation":
      return literalOf(ast.from)
    case "Refinement":
      return literalOf(ast.from)
    case "TypeLiteral":
      return ast
    default:
      return undefined
  }
}

/** True while the arguments of methods are written, in which a moment may be a `Date`. */
let isGiven = false

/** Writes types of arguments. */
const given = (write) => {
  isGiven = true
  try {
    return write()
  } finally {
    isGiven = false
  }
}

/** The type of the encoded side of a schema. Records, with their comments, become interfaces of their own. */
const typeOf = (ast) => {
  const jsonSchema = Option.getOrUndefined(AST.getJSONSchemaAnnotation(ast))
  const literal = literalOf(ast)
  const name = nameOf(ast)
  if (literal !== undefined && literal.propertySignatures.length > 0 && name !== undefined) {
    return interfaceOf(name, ast, literal)
  }
  switch (ast._tag) {
    case "Transformation":
    case "Refinement": {
      if (isGiven && ast === Timestamp.ast) return "string | Date"
      const type = typeOf(ast.from)
      if (!/\bunknown\b/.test(type)) return type
      const surrogate = Option.getOrUndefined(AST.getSurrogateAnnotation(ast))
      const stated = [
        surrogate === undefined ? "unknown" : typeOf(surrogate),
        jsonSchema === undefined ? "unknown" : ofJsonSchema(jsonSchema),
        ast._tag === "Transformation" ? typeOf(ast.to) : "unknown"
      ]
      return stated.find((other) => !/^(ReadonlyArray<)?unknown>?$/.test(other)) ?? type
    }
    case "Suspend":
      return typeOf(ast.f())
    case "StringKeyword":
    case "TemplateLiteral":
      return "string"
    case "NumberKeyword":
      return "number"
    case "BooleanKeyword":
      return "boolean"
    case "UndefinedKeyword":
    case "VoidKeyword":
      return "undefined"
    case "ObjectKeyword":
      return jsonSchema === undefined ? "object" : ofJsonSchema(jsonSchema)
    case "Literal":
      return ast.literal === null ? "null" : JSON.stringify(ast.literal)
    case "Enums":
      return union(ast.enums.map(([, value]) => JSON.stringify(value)))
    case "Union":
      return union(ast.types.map(typeOf))
    case "TupleType": {
      const surrogate = Option.getOrUndefined(AST.getSurrogateAnnotation(ast))
      if (surrogate !== undefined) return typeOf(surrogate)
      const stated = jsonSchema === undefined ? "unknown" : ofJsonSchema(jsonSchema)
      if (stated !== "unknown") return stated
      return ast.elements.length > 0
        ? `readonly [${ast.elements.map(({ type }) => typeOf(type)).join(", ")}${
          ast.rest.length > 0 ? `, ...${listOf(typeOf(ast.rest[0].type))}` : ""
        }]`
        : ast.rest.length === 0
        ? "readonly []"
        : listOf(typeOf(ast.rest[0].type))
    }
    case "TypeLiteral":
      return bodyOf(ast)
    case "Declaration": {
      const surrogate = Option.getOrUndefined(AST.getSurrogateAnnotation(ast))
      if (surrogate !== undefined) return typeOf(surrogate)
      return /Uint8Array/.test(String(ast))
        ? "Uint8Array"
        : jsonSchema === undefined
        ? "unknown"
        : ofJsonSchema(jsonSchema)
    }
    default:
      return jsonSchema === undefined ? "unknown" : ofJsonSchema(jsonSchema)
  }
}

const allowsUndefined = (ast) => ast._tag === "Union" && ast.types.some(({ _tag }) => _tag === "UndefinedKeyword")

const bodyOf = (literal, fieldType = typeOf) => {
  const names = new Set(literal.propertySignatures.map(({ name }) => String(name)))
  const fields = literal.propertySignatures.map(({ annotations, isOptional, name, type }) => {
    const described = Option.getOrUndefined(AST.getDescriptionAnnotation({ annotations }))
    const text = fieldDoc(String(name), names) ?? described
    return `${comment(text)}readonly ${keyOf(String(name))}${isOptional ? "?" : ""}: ${fieldType(type)}${
      isOptional && fieldType === typeOf && allowsUndefined(type) ? " | undefined" : ""
    }`
  })
  const others = literal.indexSignatures.map(({ type }) => `readonly [key: string]: ${typeOf(type)}`)
  const all = [...fields, ...others]
  return all.length === 0
    ? "{}"
    : all.length === 1 && !all[0].startsWith("/**")
    ? `{ ${all[0]} }`
    : `{\n${all.join("\n")}\n}`
}

/** The name of the interface of a record; another record of the same name gets a number. */
const interfaceOf = (name, ast, literal) => {
  const known = named.get(ast)
  if (known !== undefined) return known
  let free = name
  for (let number = 2; written.has(free); number++) free = `${name}${number}`
  named.set(ast, free)
  written.set(free, "")
  const body = bodyOf(literal)
  const same = Array.from(written).find(([other, text]) =>
    other !== free && text === body && other.replace(/\d+$/, "") === name
  )
  if (same !== undefined) {
    written.delete(free)
    named.set(ast, same[0])
    return same[0]
  }
  written.set(free, body)
  return free
}

const operations = new Map()
HttpApi.reflect(Api, {
  onGroup: () => undefined,
  onEndpoint: ({ endpoint, mergedAnnotations, payloads, successes }) => {
    operations.set(endpoint.name, { endpoint, mergedAnnotations, payloads, successes })
  }
})

const workspace = ["org_id", "workspace_id"]
const summaryOf = ({ endpoint }) =>
  Array.from(endpoint.annotations.unsafeMap).find(([key]) => key.endsWith("OpenApi/Summary"))?.[1]

/** The type of a parameter of a query, which is text in a URL: the values that it stands for. */
const queryType = (ast) => {
  const decoded = AST.typeAST(ast)
  const types = (decoded._tag === "Union" ? decoded.types : [decoded]).filter(({ _tag }) => _tag !== "UndefinedKeyword")
  const plain = types.map((type) => {
    let bare = type
    while (bare._tag === "Refinement") bare = bare.from
    switch (bare._tag) {
      case "Literal":
        return JSON.stringify(bare.literal)
      case "NumberKeyword":
        return "number"
      case "BooleanKeyword":
        return "boolean"
      case "Declaration":
        return bare === Timestamp.ast.to ? "string | Date" : typeOf(ast)
      default:
        return typeOf(ast)
    }
  })
  return union(plain)
}

const methodOf = (resource, method, operation) => {
  const { endpoint, payloads, successes } = operation
  const ids = Array.from(endpoint.path.matchAll(/:(\w+)/g), ([, name]) => name).filter((name) =>
    !workspace.includes(name)
  )
  const parameters = ids.map((id) => `${camel(id)}: ${id === "app_version" ? "number | string" : "string"}`)
  const title = `${resource[0].toUpperCase()}${resource.slice(1)}${method[0].toUpperCase()}${method.slice(1)}`
  const [[, payload] = []] = payloads
  if (payload !== undefined) {
    const literal = literalOf(payload.ast)
    const type = given(() =>
      literal !== undefined && nameOf(payload.ast) === undefined && literal.propertySignatures.length > 0
        ? interfaceOf(`${title}Body`, payload.ast, literal)
        : typeOf(payload.ast)
    )
    const optional = literal !== undefined && literal.propertySignatures.every(({ isOptional }) => isOptional)
    parameters.push(`body${optional ? "?" : ""}: ${type}`)
  }
  const query = Option.getOrUndefined(endpoint.urlParamsSchema)
  if (query !== undefined) {
    const literal = literalOf(query.ast)
    const name = `${title}Query`
    written.set(name, bodyOf(literal, queryType))
    parameters.push(`query${literal.propertySignatures.every(({ isOptional }) => isOptional) ? "?" : ""}: ${name}`)
  }
  parameters.push("options?: CallOptions")
  const [[, { ast }] = [204, { ast: Option.none() }]] = successes
  const body = Option.getOrUndefined(ast)
  const fileType = body === undefined ? undefined : contentTypeOf(body)
  const result = body === undefined
    ? "void"
    : fileType === "bytes" || fileType === "text"
    ? "ByteStream"
    : typeOf(body)
  const literal = body === undefined ? undefined : literalOf(body)
  const items = literal?.propertySignatures.find(({ name }) => name === "items")
  const offset = query !== undefined && literalOf(query.ast).propertySignatures.some(({ name }) => name === "offset")
  const cursor = query !== undefined && literalOf(query.ast).propertySignatures.some(({ name }) => name === "after")
  const promise = items !== undefined && (offset || cursor)
    ? `PagePromise<${result}>`
    : `Promise<${result}>`
  const doc = `${summaryOf(operation) ?? title}.`
  const plain = `${comment(doc, "  ")}  ${method}(${parameters.join(", ")}): ${promise}`
  if (!["chat.create", "chat.createCore", "responses.create"].includes(`${resource}.${method}`)) return plain
  const bodyType = /body\??: ([^,]+)/.exec(parameters.join(", "))[1]
  const event = resource === "chat" ? "ChatChunk" : "ResponseEvent"
  const streamed = parameters.join(", ").replace(bodyType, `${bodyType} & { readonly stream: true }`)
  return `${
    comment(`${doc} With \`stream: true\`, resolves with its events as they come.`, "  ")
  }  ${method}(${streamed}): Promise<EventStream<${event}>>\n${plain}`
}

/** Kind of a success that is not JSON. */
const contentTypeOf = (ast) => {
  const encoding = Array.from(Object.getOwnPropertySymbols(ast.annotations)).map((key) => ast.annotations[key])
    .find((value) => value !== null && typeof value === "object" && "kind" in value && "contentType" in value)
  return encoding?.kind === "Uint8Array" ? "bytes" : encoding?.kind === "Text" ? "text" : undefined
}

const interfaces = Object.entries(resourceTable).map(([resource, methods]) => {
  const body = Object.entries(methods).map(([method, name]) => methodOf(resource, method, operations.get(name)))
  return [resource, body]
})

/** Unions that options and events use, by name, and records that nothing above mentions. */
const aliases = [["LiveEvent", LiveEvent], ["Callee", Callee]].map(([name, schema]) =>
  `${comment(namedDocs.get(name))}export type ${name} = ${typeOf(schema.ast)}`
)
const sent = [
  CampaignAttemptPayload,
  CanaryEndedPayload,
  InboundCallPayload,
  OutboundCallPayload,
  CallEnded,
  ReportMessage
]
for (const { ast } of [Configuration, SimulatorRule, ...sent, ...Object.values(options)]) typeOf(ast)

/** Types of language models, which are plain in the packages, too. */
const modelTypes = sources.filter(({ fileName }) =>
  /models\/src\/(Completion|Message|ModelRequest)\.ts$/.test(fileName)
).flatMap((source) =>
  source.statements.filter((node) => ts.isInterfaceDeclaration(node) || ts.isTypeAliasDeclaration(node))
    .map((node) => node.getFullText().trim())
)

/** Types of calls of tests, which are plain in their package, too. */
const testingTypes = sources.filter(({ fileName }) => fileName.endsWith("agent-testing/src/record/TestedCall.ts"))
  .flatMap((source) => source.statements.map((node) => node.getFullText().trim()))

const effort = `/** Reasoning effort. */\nexport type Effort = ${
  union(efforts.map((effort) => JSON.stringify(effort)))
}`

const failures = Object.keys(mainRules).map((tag) => {
  const schema = Reflect.get(errors, tag)
  const literal = Schema.isSchema(schema) ? literalOf(schema.ast) : undefined
  const fields = (literal?.propertySignatures ?? []).filter(({ name }) => !["_tag", "message"].includes(String(name)))
  const names = new Set(fields.map(({ name }) => String(name)))
  const body = fields.map(({ isOptional, name, type }) =>
    `${comment(fieldDoc(String(name), names))}readonly ${String(name)}${isOptional ? "?" : ""}: ${
      String(name) === "retryAfter" ? "object" : typeOf(type)
    }`
  )
  return `${comment(namedDocs.get(tag))}export interface ${tag} extends Error {\nreadonly _tag: "${tag}"\n${
    body.join("\n")
  }\n}`
})

const shared = Array.from(written).sort(([left], [right]) => left.localeCompare(right)).map(([name, body]) =>
  `${comment(namedDocs.get(name))}export interface ${name} ${body}`
)

const text = [
  "// Written by docs/types.mjs from the schemas of the HTTP interface. Do not edit.",
  `import type { ByteStream, CallOptions, ChatChunk, EventStream, PagePromise, ResponseEvent } from "../Results.js"`,
  ...shared,
  ...aliases,
  ...failures,
  `/** Failure of an operation. \`_tag\` tells which. */\nexport type Failure = ${Object.keys(mainRules).join(" | ")}`,
  ...interfaces.map(([resource, body]) =>
    `/** Methods of \`trunkline.${resource}\`. */\nexport interface ${resource[0].toUpperCase()}${
      resource.slice(1)
    } {\n${body.join("\n")}\n}`
  ),
  `/** Every resource of the HTTP interface. */\nexport interface Resources {\n${
    interfaces.map(([resource]) => `readonly ${resource}: ${resource[0].toUpperCase()}${resource.slice(1)}`).join("\n")
  }\n}`
].join("\n\n")

const models = [
  "// Written by docs/types.mjs from packages/models. Do not edit.",
  ...modelTypes,
  effort
].join("\n\n")

const testing = ["// Written by docs/types.mjs from packages/agent-testing. Do not edit.", ...testingTypes].join("\n\n")

writeOrCheck(folder, { "Resources.ts": nameRepeats(text), "Models.ts": models, "Testing.ts": testing }, "docs:types")
