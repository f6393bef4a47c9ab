import { assert, describe, it } from "@effect/vitest"
import { decodeAgent, definitionIssues } from "@trunkline/agents"
import { Either } from "effect"

/** Issues of an agent whose tool sends a request. */
const issuesOf = (http: object) => {
  const tools = [{ name: "find", description: "Finds", http: { url: "https://a.example/x", ...http } }]
  const agent = decodeAgent({ app_id: "desk", versions: [{ app_version: 1, committed: true, tools }] })
  return Either.match(agent, { onLeft: definitionIssues, onRight: () => [] })
}

const place = "versions.0.tools.0.http"
const unclosed = "has {{ without }}: write {{args.name}}"
const own = "is set by the request itself: leave it out"

describe("the request of a tool", () => {
  it.each<[object, string]>([
    [{ url: "https://a.example/{{args.x" }, `${place}.url: ${unclosed}`],
    [{ url: "https://a.example/{{args.x}}/{{args.y}" }, `${place}.url: ${unclosed}`],
    [{ query: { q: "{{args.x" } }, `${place}.query.q: ${unclosed}`],
    [{ headers: { "x-id": "{{call.attempt_id" } }, `${place}.headers.x-id: ${unclosed}`],
    [{ body: { a: ["{{args.x"] } }, `${place}.body: ${unclosed}`],
    [{ headers: { Host: "b.example" } }, `${place}.headers.Host: ${own}`],
    [{ headers: { "content-length": "3" } }, `${place}.headers.content-length: ${own}`],
    [{ headers: { "Transfer-Encoding": "chunked" } }, `${place}.headers.Transfer-Encoding: ${own}`],
    [
      { answer: { schema: { type: 7 } } },
      `${place}.answer.schema: Must have one or more of array, boolean, integer, null, number, object, string in "type"`
    ]
  ])("is refused with its place: %j", (http, issue) => {
    assert.deepStrictEqual(issuesOf(http), [issue])
  })

  it.each([
    { url: "https://a.example/{{args.x}}?y={{ variables.y }}" },
    { headers: { authorization: "Bearer {{secrets.crm}}" }, body: { a: "{ {x} }", b: 1, c: null } },
    { answer: { schema: { type: "object", properties: { id: { type: "string" } } }, set: { id: "id" } } }
  ])("is taken: %j", (http) => {
    assert.deepStrictEqual(issuesOf(http), [])
  })
})
