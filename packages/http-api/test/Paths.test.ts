import { assert, describe, it } from "@effect/vitest"
import { familyOf, pathOf, unroutedFamily } from "../src/api/Paths.js"
import { methodsOf } from "../src/api/RouteTable.js"

describe("familyOf", () => {
  it("finds the family of every prefix, with or without a route", () => {
    const families = {
      "/v1/orgs/acme/workspaces/main/deployments": ["org", "orgs"],
      "/analytics/v1/acme/main/collections/attempts": ["org", "analytics"],
      "/api/analytics/v1/acme/main/boards": ["boards", "boards"],
      "/v1/chat/completions": ["chat", "main"],
      "/v2/chat/completions": ["chat", "main"],
      "/v1/models": ["chat", "main"],
      "/v2/models": ["chat", "main"],
      "/v2/responses": ["responses", "main"],
      "/v2/responses/1": ["responses", "main"],
      "/voices/clone/stream": ["voices", "main"],
      "/nowhere": ["org", "orgs"]
    }
    for (const [path, expected] of Object.entries(families)) {
      const family = familyOf(path)
      assert.deepStrictEqual([family.failures, family.keys], expected, path)
    }
  })
})

describe("unroutedFamily", () => {
  it("is that of the prefix for routes, boards and responses, and of chat for a wrong base URL of the clients of models", () => {
    const families = {
      "/v1/orgs/acme": "chat",
      "/v1/orgs/acme/workspaces/main/chat/completions": "chat",
      "/v1/orgs/acme/workspaces/main/deployments": "org",
      "/voices/nowhere/at-all": "chat",
      "/voices/clone": "voices",
      "/api/analytics/v1/acme/main/nowhere": "boards",
      "/v2/responses/1/none": "responses",
      "/chat/completions": "chat",
      "/v1/v1/chat/completions": "chat",
      "/v1/models": "chat",
      "/": "chat"
    }
    for (const [path, expected] of Object.entries(families)) assert.strictEqual(unroutedFamily(path), expected, path)
  })
})

describe("pathOf", () => {
  it("returns the path of an absolute or relative URL as it was sent", () => {
    assert.strictEqual(pathOf("/a/%2F?b=/c#d"), "/a/%2F")
    assert.strictEqual(pathOf("http://host:1/a/b?c"), "/a/b")
    assert.strictEqual(pathOf("http://host"), "/")
    assert.strictEqual(pathOf("/a;b=c"), "/a")
  })
})

describe("methodsOf", () => {
  const workspace = "/v1/orgs/acme/workspaces/main"

  it("decodes needless percent-encoding, as the router does", () => {
    assert.deepStrictEqual(methodsOf("/%68ealth"), ["GET", "HEAD"])
    assert.deepStrictEqual(methodsOf(`${workspace}%2Fdeployments`), [])
    assert.deepStrictEqual(methodsOf("/%"), [])
  })

  it("does not take a fixed segment for the parameter of another route", () => {
    const fixed = ["/voices/clone", "/voices/cl%6fne", "/voices/create", "/voices/clone/stream"]
    const cohorts = [`${workspace}/campaigns/camp-1/cohorts`, `${workspace}/deployments/dep-1/cohorts`]
    for (const path of [...fixed, ...cohorts.flatMap((path) => [`${path}/upload`, `${path}/stream`])]) {
      assert.deepStrictEqual(methodsOf(path), ["POST"], path)
    }
    assert.deepStrictEqual(methodsOf("/voices/clones"), ["DELETE", "GET", "HEAD"])
    assert.deepStrictEqual(methodsOf("/voices/clone/"), [])
  })

  it("lists the methods of a path, HEAD with GET", () => {
    assert.deepStrictEqual(methodsOf(`${workspace}/deployments`), ["GET", "HEAD", "POST"])
    assert.deepStrictEqual(methodsOf(`${workspace}/deployments/dep-1`), ["DELETE", "GET", "HEAD", "PATCH"])
    assert.deepStrictEqual(methodsOf("/openapi.json"), ["GET", "HEAD"])
    assert.deepStrictEqual(methodsOf("/openapi-json"), [])
    assert.deepStrictEqual(methodsOf(`${workspace}/deployments/a/b`), [])
  })
})
