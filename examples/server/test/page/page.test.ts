import { createHash } from "node:crypto"
import { once } from "node:events"
import { createServer } from "node:http"
import { assert, describe, it } from "vitest"
import { boardsPage, openUrl, pageUrl } from "../../src/Page.js"
import { openPage } from "./PageScript.js"

const url = "http://127.0.0.1:8787"
const door = { org: "acme & sons", workspace: "main", key: "sk_test_desk_secret" }

describe("the address of the page", () => {
  it("has the key in its fragment, which browsers do not send", () => {
    const opened = new URL(openUrl(url, door, { board: "b-1" }))
    assert.deepStrictEqual([opened.pathname, opened.search], ["/", ""])
    assert.deepStrictEqual(Object.fromEntries(new URLSearchParams(opened.hash.slice(1))), {
      org: "acme & sons",
      workspace: "main",
      board: "b-1",
      key: door.key
    })
  })

  it("has no live key, and none for others", () => {
    assert.notInclude(openUrl(url, { ...door, key: "sk_live_desk_secret" }), "sk_live")
    assert.strictEqual(pageUrl(url, { ...door, board: "b-1" }), `${url}/#org=acme+%26+sons&workspace=main&board=b-1`)
  })
})

describe("the page of the boards", () => {
  it("is for browsers at the root, and leaves all other requests to the API", async () => {
    const page = boardsPage()
    const server = createServer((request, response) => {
      if (!page(request, response)) response.writeHead(404).end()
    }).listen(0, "127.0.0.1")
    await once(server, "listening")
    const address = server.address()
    const port = typeof address === "object" ? address?.port : 0
    const statusOf = async (path: string, accept: string, method = "GET") =>
      (await fetch(`http://127.0.0.1:${port}${path}`, { method, headers: { accept } })).status
    const browser = "text/html,application/xhtml+xml,*/*;q=0.8"
    assert.deepStrictEqual(
      await Promise.all([
        statusOf("/", browser),
        statusOf("/?from=mail", browser),
        statusOf("/", browser, "HEAD"),
        statusOf("/", "*/*"),
        statusOf("/", browser, "POST"),
        statusOf("/health", browser)
      ]),
      [200, 200, 200, 404, 404, 404]
    )
    const response = await fetch(`http://127.0.0.1:${port}/`, { headers: { accept: browser } })
    const html = await response.text()
    const policy = response.headers.get("content-security-policy") ?? ""
    for (const tag of ["style", "script"]) {
      const source = new RegExp(`<${tag}[^>]*>([^]*?)</${tag}>`).exec(html)?.[1] ?? ""
      assert.include(policy, createHash("sha256").update(source).digest("base64"))
    }
    assert.notMatch(html, /\son\w+=|https?:|sk_/)
    server.close()
    server.closeAllConnections()
  })
})

const base = "/api/analytics/v1/acme/main"
const filter = { internal_name: "campaign", filter_type: "string" }
const board = {
  id: "b-1",
  name: "Payment <reminders>",
  tabs: [{
    id: "t-1",
    name: "Main",
    widgets: [
      { id: "w-1", name: "Ends", viz_type: "bar", filters: [filter] },
      { id: "w-2", name: "Rounds", viz_type: "table", filters: [filter] },
      { id: "w-3", name: "Broken", viz_type: "line", filters: [] }
    ]
  }]
}
const table = { columns: [{ name: "round" }, { name: "calls" }], rows: [["<b>first</b>", 53], [null, 6]] }
const answers = {
  [`${base}/boards`]: { body: { items: [{ id: "b-1", name: "Payment reminders" }] } },
  [`${base}/boards/b-1`]: { body: board },
  [`${base}/boards/b-1/tabs/t-1/run`]: {
    body: {
      results: [
        { status: "ok", ...table },
        { status: "ok", ...table },
        { status: "error", error: { code: "TIMEOUT", message: "The query took too long" } }
      ]
    }
  },
  [`${base}/boards/b-1/widgets/w-1/chart.svg`]: { body: "an image" }
}

describe("the script of the page", () => {
  it("takes the key out of the address and sends it as a header only", async () => {
    const { asked, location } = await openPage("#org=acme&workspace=main&board=b-1&key=sk_test_a_b", answers)
    assert.strictEqual(location.hash, "#org=acme&workspace=main&board=b-1")
    assert.isAbove(asked.length, 2)
    for (const { body, key, path } of asked) {
      assert.strictEqual(key, "sk_test_a_b")
      assert.notInclude(path + (body ?? ""), "sk_test")
    }
  })

  it("shows the widgets of a board as charts, tables and reasons, with the values of the address", async () => {
    const { asked, shown } = await openPage("#org=acme&workspace=main&board=b-1&campaign=c-1&key=sk_test_a_b", answers)
    assert.strictEqual(shown("title"), "Payment <reminders>")
    const content = "[image] Rounds round calls <b>first</b> 53 – 6 Broken The query took too long"
    assert.strictEqual(shown("content"), content)
    const values = JSON.stringify({ campaign: { filter_type: "string", value: "c-1" } })
    assert.include(asked.find(({ path }) => path.endsWith("/run"))?.body, values)
    assert.include(decodeURIComponent(asked.find(({ path }) => path.includes("chart.svg"))?.path ?? ""), values)
  })

  it("lists the boards of a workspace", async () => {
    const { shown } = await openPage("#org=acme&workspace=main&key=sk_test_a_b", answers)
    assert.strictEqual(shown("content"), "Payment reminders")
  })

  it("asks for a key without one, and when it is refused", async () => {
    const without = await openPage("#org=acme&workspace=main", answers)
    assert.deepStrictEqual([without.asked.length, without.isHidden("door")], [0, false])
    const refusal = { status: 401, body: { error: { code: "UNAUTHORIZED", message: "This key is unknown" } } }
    const refused = await openPage("#org=acme&workspace=main&key=sk_test_a_b", { [`${base}/boards`]: refusal })
    assert.deepStrictEqual([refused.shown("message"), refused.isHidden("door")], ["This key is unknown", false])
  })
})
