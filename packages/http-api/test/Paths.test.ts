import { assert, describe, it } from "@effect/vitest"
import { familyOf, pathOf } from "@trunkline/http-api"
import { Cause } from "effect"
import { describeCause } from "../src/Described.js"
import { methodsOf } from "../src/RouteTable.js"

describe("familyOf", () => {
  it("knows every prefix of the API, with and without a route behind it", () => {
    const families = {
      "/v1/orgs/acme/workspaces/main/deployments": ["org", "orgs"],
      "/analytics/v1/acme/main/collections/attempts": ["org", "analytics"],
      "/api/analytics/v1/acme/main/boards": ["boards", "boards"],
      "/v1/chat/completions": ["chat", "main"],
      "/v2/chat/completions": ["chat", "main"],
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

describe("pathOf", () => {
  it("takes the path out of a URL, absolute or from the root, as it was sent", () => {
    assert.strictEqual(pathOf("/a/%2F?b=/c#d"), "/a/%2F")
    assert.strictEqual(pathOf("http://host:1/a/b?c"), "/a/b")
    assert.strictEqual(pathOf("http://host"), "/")
    assert.strictEqual(pathOf("/a;b=c"), "/a")
  })
})

describe("methodsOf", () => {
  const workspace = "/v1/orgs/acme/workspaces/main"

  it("lists what a path takes, HEAD along with GET", () => {
    assert.deepStrictEqual(methodsOf(`${workspace}/deployments`), ["GET", "HEAD", "POST"])
    assert.deepStrictEqual(methodsOf(`${workspace}/deployments/dep-1`), ["DELETE", "GET", "HEAD", "PATCH"])
    assert.deepStrictEqual(methodsOf("/openapi.json"), ["GET", "HEAD"])
    assert.deepStrictEqual(methodsOf("/openapi-json"), [])
    assert.deepStrictEqual(methodsOf(`${workspace}/deployments/a/b`), [])
  })
})

describe("what is logged of a cause", () => {
  it("names errors and where they come from, and leaves out what they say", () => {
    const secret = "call +919876543210\n    at home: sk_test_1\n    at sk_test_1:1:1"
    const text = describeCause(Cause.parallel(Cause.die(new RangeError(secret)), Cause.fail({ _tag: "Odd", secret })))
    assert.include(text, "RangeError")
    assert.include(text, "Odd")
    assert.include(text, "Paths.test.ts")
    assert.notMatch(text, /98765|sk_test|call/)
    assert.strictEqual(describeCause(Cause.die("sk_test_1")), "string")
  })
})
