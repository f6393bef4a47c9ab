import { createTrunkline } from "trunkline"
import { assert, describe, it } from "vitest"

const answerOf = async (options: { readonly docs?: boolean }) => {
  const trunkline = await createTrunkline({ data: ":memory:", logLevel: "none", ...options })
  try {
    return await trunkline.fetch()(new Request("http://host.example/docs"))
  } finally {
    await trunkline.close()
  }
}

describe("the page of the HTTP interface", () => {
  it("is at /docs, needs no key, and runs no script", async () => {
    const response = await answerOf({})
    assert.strictEqual(response.status, 200)
    assert.strictEqual(response.headers.get("content-type"), "text/html; charset=utf-8")
    assert.include(response.headers.get("content-security-policy") ?? "", "default-src 'none'")
    assert.include(await response.text(), "Create a campaign")
  })

  it("can be switched off", async () => {
    const response = await answerOf({ docs: false })
    assert.strictEqual(response.status, 404)
    assert.match(await response.text(), /No page with the id \\"docs\\" exists"/)
  })
})
