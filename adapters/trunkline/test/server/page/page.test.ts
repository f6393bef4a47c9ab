import { createHash } from "node:crypto"
import { once } from "node:events"
import { createServer } from "node:http"
import { assert, describe, it } from "vitest"
import { boardsPage, openUrl, pageUrl } from "../../../src/server/Page.js"
import { type Answers, openPage } from "./PageScript.js"

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
    assert.notMatch(html, /\son\w+=|https?:|sk_\w/)
    assert.match(html, /^\[hidden\] \{ display: none !important; \}$/m, "no other rule shows what is hidden")
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
const chart = `${base}/boards/b-1/widgets/w-1/chart.svg`
const run = `${base}/boards/b-1/tabs/t-1/run`
const answers: Answers = {
  [`${base}/boards`]: { body: { items: [{ id: "b-1", name: "Payment reminders" }] } },
  [`${base}/boards/b-1`]: { body: board },
  [run]: {
    body: {
      results: [
        { widget_id: "w-1", status: "ok", ...table },
        { widget_id: "w-2", status: "ok", ...table },
        { widget_id: "w-3", status: "error", error: { code: "TIMEOUT", message: "The query took too long" } }
      ]
    }
  },
  [chart]: { body: "an image" }
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

  it("asks for a key without one, and when it is refused, says so and forgets it", async () => {
    const without = await openPage("#org=acme&workspace=main", answers)
    assert.deepStrictEqual([without.asked.length, without.isHidden("door"), without.focused()], [0, false, "key"])
    const unknown = { status: 401, body: { error: { code: "UNAUTHORIZED", message: "Send it in a header" } } }
    const refused = await openPage("#org=acme&workspace=main&key=sk_test_a_b", { [`${base}/boards`]: unknown })
    assert.include(refused.shown("message"), "does not know this key")
    assert.deepStrictEqual([refused.isHidden("door"), refused.focused(), refused.kept.size], [false, "key", 0])
    const forbidden = { status: 403, body: { error: { message: "This key is for other workspaces" } } }
    const other = await openPage("#org=acme&workspace=main&key=sk_test_a_b", { [`${base}/boards`]: forbidden })
    assert.strictEqual(other.shown("message"), "This key is for other workspaces")
    for (const key of ["ключ", "two words"]) {
      const odd = await openPage(`#org=acme&workspace=main&key=${encodeURIComponent(key)}`, answers)
      assert.include(odd.shown("message"), "no key")
      assert.deepStrictEqual(odd.asked, [])
    }
  })

  it("opens with the key that is typed in, without the blanks around it", async () => {
    const page = await openPage("#org=acme&workspace=main&board=b-1", answers)
    await page.signIn({ org: "acme", workspace: " main", key: " sk_test_a_b\n" })
    assert.strictEqual(page.asked[0]?.key, "sk_test_a_b")
    assert.deepStrictEqual([page.isHidden("door"), page.shown("title")], [true, "Payment <reminders>"])
  })
})

describe("a board that is open", () => {
  const open = "#org=acme&workspace=main&board=b-1&key=sk_test_a_b"
  const charts = (asked: ReadonlyArray<{ readonly path: string }>) =>
    asked.filter(({ path }) => path.startsWith(chart)).map(({ path }) => new URLSearchParams(path.split("?")[1]))
  const ranOf = (...rows: ReadonlyArray<ReadonlyArray<unknown>>) => ({
    body: { results: ["w-1", "w-2"].map((widget_id) => ({ widget_id, status: "ok", ...table, rows })) }
  })

  it("updates itself: soon while its figures change, and less and less often when they do not", async () => {
    const now: Answers = { ...answers, [run]: ranOf() }
    const page = await openPage(open, now)
    assert.strictEqual(page.shown("content"), "Ends No calls yet. Rounds No calls yet. Broken Loading …")
    assert.deepStrictEqual(charts(page.asked), [], "nothing is drawn of nothing")
    now[run] = ranOf(["first", 7])
    await page.pass()
    assert.strictEqual(page.shown("content"), "[image] Rounds round calls first 7 Broken Loading …")
    const soon = page.next() ?? 0
    assert.isAtLeast(soon, 3, "the API draws 20 charts in a minute")
    const waits: Array<number> = []
    for (let time = 0; time < 5; time++) {
      await page.pass()
      waits.push(page.next() ?? 0)
    }
    assert.isAbove(waits[0] ?? 0, soon)
    assert.deepStrictEqual([Math.max(...waits), waits[4]], [30, 30])
    assert.lengthOf(charts(page.asked), 1, "what has not changed is not drawn again")
    now[run] = ranOf(["first", 8])
    await page.pass()
    assert.deepStrictEqual([page.shown("content").includes("first 8"), page.next()], [true, soon])
  })

  it("takes young figures from the cache of the server, and none when they are asked for", async () => {
    const page = await openPage(open, answers)
    const ages = () => page.asked.filter(({ path }) => path === run).map(({ body }) => JSON.parse(body ?? "").max_age)
    await page.click("refresh")
    assert.deepStrictEqual(ages(), [5, 0])
  })

  it("has its charts drawn in the size of their cards", async () => {
    const { asked } = await openPage(open, answers)
    assert.deepStrictEqual(charts(asked).map((query) => [query.get("width"), query.get("height")]), [["342", "280"]])
  })

  it("lets its cards have the size of their charts after the window has changed, until these are drawn anew", async () => {
    const now: Answers = { ...answers }
    const page = await openPage(open, now)
    page.resize(1_280)
    assert.deepStrictEqual([page.classOf("content"), page.next()], ["resized", 0.5])
    now[run] = null
    await page.pass()
    assert.strictEqual(page.classOf("content"), "resized")
    now[run] = answers[run] ?? null
    page.resize(390)
    const updated = page.pass()
    page.resize(400)
    await updated
    assert.strictEqual(page.classOf("content"), "resized", "another width was being drawn")
    await page.click("refresh")
    assert.strictEqual(page.classOf("content"), "")
  })

  it("shows the reason in place of a chart that the server or the browser cannot draw", async () => {
    const reason = { status: 400, body: { error: { message: "There is no number to draw" } } }
    const refused = await openPage(open, { ...answers, [chart]: reason })
    assert.include(refused.shown("content"), "Ends There is no number to draw")
    const broken = await openPage(open, answers, { isDecodable: false })
    assert.include(broken.shown("content"), "Ends This browser cannot show the chart.")
    for (const page of [refused, broken]) {
      await page.pass()
      assert.lengthOf(charts(page.asked), 1, "it is not asked for over and over")
    }
  })

  it("stays while the server does not answer or wants to wait, says so, and goes on afterwards", async () => {
    const now: Answers = { ...answers }
    const page = await openPage(open, now)
    const before = page.shown("content")
    now[`${base}/boards/b-1`] = null
    await page.pass()
    assert.match(page.shown("message"), /^The server does not answer\. Trying again in \d+ seconds\.$/)
    now[`${base}/boards/b-1`] = {
      status: 429,
      headers: { "retry-after": "47" },
      body: { error: { message: "Slower." } }
    }
    await page.pass()
    assert.deepStrictEqual([page.shown("message"), page.next()], ["Slower. Trying again in 47 seconds.", 47])
    assert.deepStrictEqual([page.shown("content"), page.isHidden("door")], [before, true])
    now[`${base}/boards/b-1`] = { body: board }
    await page.pass()
    assert.deepStrictEqual([page.shown("message"), page.shown("content")], ["", before])
  })

  it("keeps a chart that is not drawn anew for now, and draws it later", async () => {
    const now: Answers = { ...answers, [run]: ranOf(["first", 7]) }
    const page = await openPage(open, now)
    now[run] = ranOf(["first", 8])
    now[chart] = { status: 429, headers: { "retry-after": "9" }, body: { error: { message: "Slower." } } }
    await page.pass()
    assert.match(page.shown("content"), /^\[image\]/)
    assert.match(page.shown("message"), /^Slower\. Trying again/)
    now[chart] = { body: "an image" }
    await page.pass()
    assert.deepStrictEqual([page.shown("message"), charts(page.asked).length], ["", 3])
  })

  it("waits for a chart that the server cannot draw yet, and says so once", async () => {
    const busy = { status: 503, headers: { "retry-after": "4" }, body: { error: { message: "Too much. Try again." } } }
    const page = await openPage(open, { ...answers, [chart]: busy })
    assert.include(page.shown("content"), "Ends Loading …")
    assert.match(page.shown("message"), /^Too much\. Trying again in \d+ seconds\.$/)
  })

  it("is gone when its key has been revoked, and asks for another", async () => {
    const now: Answers = { ...answers }
    const page = await openPage(open, now)
    for (const path of Object.keys(now)) now[path] = { status: 401, body: { error: { message: "No" } } }
    await page.pass()
    assert.deepStrictEqual([page.shown("content"), page.shown("title"), page.isHidden("door")], [
      "",
      "Trunkline boards",
      false
    ])
    assert.deepStrictEqual([page.next(), page.kept.size], [undefined, 0])
  })

  it("that does not exist says so once, with a way to the others", async () => {
    const page = await openPage(open.replace("b-1", "b-2"), {
      ...answers,
      [`${base}/boards/b-2`]: { status: 404, body: { error: { message: "There is no such board" } } }
    })
    assert.deepStrictEqual([page.shown("message"), page.next(), page.isHidden("home")], [
      "There is no such board",
      undefined,
      false
    ])
  })
})
