import { assert, describe, it } from "@effect/vitest"
import { makeConsole } from "../src/index.js"

const get = (path: string, headers: Readonly<Record<string, string>> = {}) =>
  new Request(`http://localhost:8787${path}`, { headers: { ...headers } })

describe("the console", () => {
  const { fetch } = makeConsole({ links: [{ title: `A "quoted" <page>`, href: "/help" }] })

  it("leaves requests for other paths, and those that write, to the host", () => {
    assert.isNull(fetch(get("/v1/models")))
    assert.isNull(fetch(get("/consoles")))
    assert.isNull(fetch(new Request("http://localhost/console/", { method: "POST" })))
  })

  it("leads to the path with a slash, so that relative addresses hold", () => {
    const response = fetch(get("/console"))
    assert.strictEqual(response?.status, 308)
    assert.strictEqual(response?.headers.get("location"), "/console/")
  })

  it("shows the page on every path below, since the page reads its state from the address", async () => {
    for (const path of ["/console/", "/console/w/acme/main/campaigns/camp-1"]) {
      const response = fetch(get(path))
      assert.strictEqual(response?.status, 200)
      assert.include(await response?.text(), `<base href="/console/">`)
    }
  })

  it("may run only its own scripts, and contacts only its server", () => {
    const policy = fetch(get("/console/"))?.headers.get("content-security-policy") ?? ""
    assert.include(policy, "default-src 'none'")
    assert.include(policy, "script-src 'self'")
    assert.notInclude(policy, "unsafe")
    assert.include(policy, "frame-ancestors 'none'")
  })

  it("serves its scripts compressed, for good, and none that it does not have", async () => {
    const html = await fetch(get("/console/"))?.text() ?? ""
    const script = /src="(assets\/main-[^"]+\.js)"/.exec(html)?.[1] ?? ""
    const compressed = fetch(get(`/console/${script}`, { "accept-encoding": "gzip, br" }))
    assert.strictEqual(compressed?.headers.get("content-encoding"), "br")
    assert.include(compressed?.headers.get("cache-control"), "immutable")
    assert.isNull(fetch(get(`/console/${script}`))?.headers.get("content-encoding"))
    assert.strictEqual(fetch(get("/console/assets/other.js"))?.status, 404)
    assert.strictEqual(fetch(get("/console/assets/..%2f..%2fpackage.json"))?.status, 404)
  })

  it("asks for at most 120 kB of scripts at the first visit", async () => {
    const html = await fetch(get("/console/"))?.text() ?? ""
    const names = [...html.matchAll(/(?:src|href)="(assets\/[^"]+)"/g)].map(([, name]) => name)
    const first = await Promise.all(names.map(async (name) => {
      const response = fetch(get(`/console/${name}`, { "accept-encoding": "br" }))
      return (await response?.arrayBuffer())?.byteLength ?? 0
    }))
    assert.isAbove(names.length, 1)
    assert.isBelow(first.reduce((sum, bytes) => sum + bytes, 0), 120_000)
  })

  it("keeps texts of the host inside their attributes", async () => {
    const html = await fetch(get("/console/"))?.text() ?? ""
    assert.notInclude(html, "<page>")
    assert.include(html, "&quot;")
  })

  it("frames only the pages of its host, and refuses those that it could not show safely", () => {
    const pages = [{ title: "Runbook", src: "/runbook" }, { title: "Ops", src: "https://ops.example/a;b?x=1" }]
    const shown = makeConsole({ pages }).fetch(get("/console/"))
    assert.include(
      shown?.headers.get("content-security-policy"),
      "frame-src 'self' https://ops.example/a%3bb; frame-ancestors 'none'"
    )
    assert.include(fetch(get("/console/"))?.headers.get("content-security-policy"), "frame-src 'none'")
    const sources = [
      "//evil.example",
      "/\\evil.example",
      "javascript:alert(1)",
      "data:text/html,x",
      "http://evil.example/",
      "x"
    ]
    for (const src of sources) {
      assert.throws(() => makeConsole({ pages: [{ title: "Page", src }] }), /pages\.0\.src: use a path/, src)
    }
    assert.throws(() => makeConsole({ pages: [{ title: "!", src: "/a" }] }), /pages\.0\.title: use letters/)
    const twice = [{ title: "A b", src: "/a" }, { title: "a B", src: "/b" }]
    assert.throws(() => makeConsole({ pages: twice }), /pages\.1\.title: another page/)
  })
})
