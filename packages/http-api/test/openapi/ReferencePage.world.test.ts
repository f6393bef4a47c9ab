import { assert, describe, it } from "@effect/vitest"
import { openApi, type OpenApiDocument } from "../../src/openapi/OpenApi.js"
import { referencePieces } from "../../src/openapi/ReferencePage.js"

const referencePage = (document: OpenApiDocument): string => [...referencePieces(document)].join("")

const document = openApi()
const page = referencePage(document)

const idsIn = (text: string): Array<string> => Array.from(text.matchAll(/ id="([^"]+)"/g), ([, id = ""]) => id)

describe("the page of the OpenAPI document", () => {
  it("has every operation and every schema once", () => {
    const operations = Object.values(document.paths).flatMap((path) =>
      Object.values(path).map(({ operationId }) => operationId)
    )
    const schemas = Object.keys(document.components.schemas).map((name) => `schema-${name}`)
    assert.sameMembers(idsIn(page), ["top", "schemas", ...operations, ...schemas])
  })

  it("links to nothing that it lacks, and loads nothing", () => {
    const links = Array.from(page.matchAll(/ href="([^"]+)"/g), ([, link = ""]) => link)
    const ids = new Set(idsIn(page))
    const missing = links.filter((link) => link !== "openapi.json" && !ids.has(link.slice(1)))
    assert.deepStrictEqual(missing, [])
    assert.notMatch(page, /<(script|link|img|iframe)| src=|url\(/)
  })

  it("shows texts of the document as text", () => {
    const hostile = "<img src=x onerror=alert(1)> \"'&"
    const changed = referencePage({
      ...document,
      info: { ...document.info, title: hostile, description: hostile },
      tags: document.tags.map((tag) => ({ ...tag, description: hostile }))
    })
    assert.notInclude(changed, "<img")
    assert.include(changed, "&lt;img src=x onerror=alert(1)&gt; &quot;&#39;&amp;")
  })
})
