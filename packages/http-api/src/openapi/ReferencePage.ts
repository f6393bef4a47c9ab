import { fieldOf as ownField, isJsonObject, listOf } from "@trunkline/kernel"
import type { OpenApiDocument } from "./OpenApi.js"

const style = `
:root { color-scheme: light dark; --line: light-dark(#d8dce3, #343a46); --soft: light-dark(#f5f6f8, #1b1f27); --blue: light-dark(#0b57d0, #8ab4f8) }
* { box-sizing: border-box }
body { margin: 0; font: 15px/1.5 system-ui, sans-serif; background: light-dark(#fff, #12151b); color: light-dark(#1c2230, #e4e7ec) }
a { color: var(--blue); text-decoration: none } a:hover { text-decoration: underline }
nav { position: fixed; inset: 0 auto 0 0; width: 300px; overflow: auto; padding: 20px; border-right: 1px solid var(--line); font-size: 14px }
nav h2 { font-size: 13px; margin: 18px 0 4px; }
nav ul { list-style: none; margin: 0; padding: 0 }
main { margin-left: 300px; padding: 24px 40px; max-width: 1080px }
section { padding: 20px 0; border-top: 1px solid var(--line) }
h2::first-letter { text-transform: uppercase } h1 { font-size: 26px } h2 { font-size: 21px } h3 { font-size: 17px; margin: 0 0 6px } h4 { font-size: 14px; margin: 14px 0 4px }
code, pre { font: 13px/1.45 ui-monospace, monospace }
pre { background: var(--soft); border: 1px solid var(--line); border-radius: 8px; padding: 12px; overflow: auto; max-height: 360px }
.route { background: var(--soft); border-radius: 6px; padding: 4px 8px; overflow-wrap: anywhere; display: inline-block }
.scroll { overflow-x: auto } table { border-collapse: collapse; width: 100%; font-size: 14px }
th, td { text-align: left; vertical-align: top; padding: 5px 10px 5px 0; border-bottom: 1px solid var(--line) }
td:first-child { white-space: nowrap } small { opacity: .7 }
@media (max-width: 800px) { nav { position: static; width: auto; max-height: 45vh; border: 0; border-bottom: 1px solid var(--line) } main { margin: 0; padding: 16px } }
`

const escapes: Readonly<Record<string, string>> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  "\"": "&quot;",
  "'": "&#39;"
}

/** A text as HTML, with code in backticks as such. */
const html = (text: string): string =>
  text.replace(/[&<>"']/g, (character) => escapes[character] ?? character).replace(/`([^`]+)`/g, "<code>$1</code>")

const fieldOf = (value: unknown, name: string): unknown => isJsonObject(value) ? ownField(value, name) : undefined

const textOf = (value: unknown): string => typeof value === "string" ? value : ""
const entriesOf = (value: unknown): ReadonlyArray<readonly [string, unknown]> =>
  isJsonObject(value) ? Object.entries(value) : []

const schemaPlace = "#/components/schemas/"

const bounds: ReadonlyArray<readonly [key: string, sign: string]> = [
  ["minimum", "≥"],
  ["exclusiveMinimum", ">"],
  ["maximum", "≤"],
  ["exclusiveMaximum", "<"],
  ["maxLength", "length ≤"],
  ["maxItems", "items ≤"]
]

/** Types of a value as HTML: links to named schemas, literals, and bounds. */
const typesOf = (schema: unknown): ReadonlyArray<string> => {
  const reference = textOf(fieldOf(schema, "$ref"))
  if (reference.startsWith(schemaPlace)) {
    const name = html(reference.slice(schemaPlace.length))
    return [`<a href="#schema-${name}">${name}</a>`]
  }
  const several = ["anyOf", "oneOf", "allOf"].flatMap((key) => listOf(fieldOf(schema, key)))
  if (several.length > 0) return several.flatMap(typesOf)
  const literals = listOf(fieldOf(schema, "enum"))
  if (literals.length > 0) return literals.map((each) => `<code>${html(JSON.stringify(each))}</code>`)
  const items = fieldOf(schema, "items")
  if (items !== undefined) return [`list of ${typeOf(items)}`]
  const type = fieldOf(schema, "type")
  const limits = bounds.flatMap(([key, sign]) => {
    const bound = fieldOf(schema, key)
    return bound === undefined ? [] : [`${sign} ${html(JSON.stringify(bound))}`]
  })
  return [
    [html(Array.isArray(type) ? type.map(textOf).join(" or ") : textOf(type) || "any value"), ...limits].join(", ")
  ]
}

const typeOf = (schema: unknown): string => Array.from(new Set(typesOf(schema))).join(" or ")

const row = (cells: ReadonlyArray<string>): string => `<tr>${cells.map((cell) => `<td>${cell}</td>`).join("")}</tr>`

const table = (rows: ReadonlyArray<string>): string =>
  rows.length === 0 ? "" : `<div class="scroll"><table>${rows.join("")}</table></div>`

const nameCell = (name: string, isRequired: boolean): string =>
  `<code>${html(name)}</code>${isRequired ? " <small>required</small>" : ""}`

const aboutCell = (about: unknown, schema: unknown): string => {
  const preset = fieldOf(schema, "default")
  return [
    html(textOf(about)),
    preset === undefined ? "" : `Default: <code>${html(JSON.stringify(preset))}</code>.`
  ].filter((text) => text !== "").join(" ")
}

/** Rows of the fields of an object, with those of objects inside it that have no name of their own. */
const fieldRows = (schema: unknown, prefix = ""): ReadonlyArray<string> => {
  const requiredNames = listOf(fieldOf(schema, "required"))
  return entriesOf(fieldOf(schema, "properties")).flatMap(([name, field]) => [
    row([
      nameCell(`${prefix}${name}`, requiredNames.includes(name)),
      typeOf(field),
      aboutCell(fieldOf(field, "description"), field)
    ]),
    ...[field, ...listOf(fieldOf(field, "anyOf"))].flatMap((object) => fieldRows(object, `${prefix}${name}.`)),
    ...fieldRows(fieldOf(field, "items"), `${prefix}${name}[].`)
  ])
}

const fieldTable = (schema: unknown): string => table(fieldRows(schema))

const exampleOf = (media: unknown): string => {
  const example = fieldOf(media, "example")
  return example === undefined ? "" : `<pre>${html(JSON.stringify(example, null, 2))}</pre>`
}

/** An operation: its address, parameters, body and answers. */
const operationSection = (path: string, method: string, operation: unknown, schemas: unknown): string => {
  const parameters = listOf(fieldOf(operation, "parameters")).map((parameter) =>
    row([
      nameCell(textOf(fieldOf(parameter, "name")), fieldOf(parameter, "required") === true),
      textOf(fieldOf(parameter, "in")),
      typeOf(fieldOf(parameter, "schema")),
      aboutCell(fieldOf(parameter, "description"), fieldOf(parameter, "schema") ?? null)
    ])
  )
  const bodies = entriesOf(fieldOf(fieldOf(operation, "requestBody"), "content")).map(([type, media]) => {
    const schema = fieldOf(media, "schema")
    const name = textOf(fieldOf(schema, "$ref")).slice(schemaPlace.length)
    const fields = fieldTable(name === "" ? schema : fieldOf(schemas, name))
    return `<h4>Body <small>${html(type)}</small></h4>${fields}${exampleOf(media)}`
  })
  const answers = entriesOf(fieldOf(operation, "responses")).map(([status, answer]) => {
    const types = entriesOf(fieldOf(answer, "content"))
    return row([
      `<code>${html(status)}</code>`,
      html(textOf(fieldOf(answer, "description"))),
      types.map(([type, media]) => `${typeOf(fieldOf(media, "schema"))} <small>${html(type)}</small>`).join("<br>")
    ])
  })
  const success = entriesOf(fieldOf(operation, "responses")).find(([status]) => status.startsWith("2"))
  const example = entriesOf(fieldOf(success?.[1], "content")).map(([, media]) => exampleOf(media)).join("")
  return `<section id="${html(textOf(fieldOf(operation, "operationId")))}">
<h3>${html(textOf(fieldOf(operation, "summary")))}</h3>
<code class="route"><b>${method.toUpperCase()}</b> ${html(path)}</code>
<p>${html(textOf(fieldOf(operation, "description")))}</p>
${parameters.length === 0 ? "" : `<h4>Parameters</h4>${table(parameters)}`}
${bodies.join("")}
<h4>Answers</h4>${table(answers)}${example}
</section>`
}

/** Name of a group in words: `campaignWork` is "campaign work". */
const wordsOf = (name: string): string =>
  html(name.replaceAll(/(?<=[a-z])[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`))

interface Operation {
  readonly path: string
  readonly method: string
  readonly operation: unknown
}

const tagsOf = (operation: unknown): ReadonlyArray<unknown> => listOf(fieldOf(operation, "tags"))

/** A group of operations, with its heading. */
function* groupPieces(
  { name, of, tag }: { readonly name: string; readonly tag: unknown; readonly of: ReadonlyArray<Operation> },
  schemas: unknown
): Generator<string> {
  yield `<h2>${wordsOf(name)}</h2><p>${html(textOf(fieldOf(tag, "description")))}</p>`
  for (const { method, operation, path } of of) yield operationSection(path, method, operation, schemas)
}

/**
 * Renders an OpenAPI document as one page of HTML, in pieces: each operation and each schema is one. It needs no script and no
 * other file, so it works without a network, and everything on it is found by the search of the browser.
 */
export function* referencePieces(document: OpenApiDocument): Generator<string> {
  const { components: { schemas }, paths, tags } = document
  const operations: ReadonlyArray<Operation> = entriesOf(paths).flatMap(([path, item]) =>
    entriesOf(item).map(([method, operation]) => ({ path, method, operation }))
  )
  const groups = tags.map((tag) => {
    const name = textOf(fieldOf(tag, "name"))
    return { name, tag, of: operations.filter(({ operation }) => tagsOf(operation).includes(name)) }
  }).filter(({ of }) => of.length > 0)
  const links = groups.map(({ name, of }) =>
    `<h2>${wordsOf(name)}</h2><ul>${
      of.map(({ operation }) =>
        `<li><a href="#${html(textOf(fieldOf(operation, "operationId")))}">${
          html(textOf(fieldOf(operation, "summary")))
        }</a></li>`
      ).join("")
    }</ul>`
  )
  const title = `${html(document.info.title)} API`
  yield `<!doctype html><html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width">
<title>${title}</title><style>${style}</style></head><body>
<nav aria-label="Operations"><a href="#top"><b>${title}</b></a>${
    links.join("")
  }<h2>Schemas</h2><a href="#schemas">All schemas</a></nav>
<main id="top"><h1>${title}</h1><p>${html(document.info.description ?? "")} <a href="openapi.json">openapi.json</a></p>
`
  for (const group of groups) yield* groupPieces(group, schemas)
  yield "<h2 id=\"schemas\">Schemas</h2>"
  for (const [name, schema] of entriesOf(schemas)) {
    yield `<section id="schema-${html(name)}"><h3>${html(name)}</h3><p>${
      html(textOf(fieldOf(schema, "description")))
    }</p>${fieldTable(schema) || `<p>${typeOf(schema)}</p>`}</section>
`
  }
  yield "</main></body></html>"
}
