import { createServer } from "node:http"
import type { AddressInfo } from "node:net"
import type { Browser, Page } from "playwright-core"
import { afterAll, assert, beforeAll, describe, it } from "vitest"
import { namedPages } from "../../../adapters/console/src/HostPages.js"
import { hasBrowser, startBrowser } from "./Browser.js"
import { answerFrom, consoleAnswers, readRecording } from "./Recorded.js"
import { newPage } from "./Settled.js"

/** A page of a host that tries to read the key of the tab, and tells its theme. */
const runbook = `<!doctype html><title>Runbook</title><h1>Runbook</h1><p id="found"></p><p id="theme"></p><script>
const show = (id, text) => (document.getElementById(id).textContent = text)
try { show("found", "key: " + sessionStorage.getItem("trunkline.key")) } catch (error) { show("found", "refused: " + error.name) }
show("theme", location.search)
addEventListener("message", ({ data }) => show("theme", JSON.stringify(data)))
</script>`

describe.skipIf(!hasBrowser)("pages of the host in the console (skipped without chromium)", () => {
  let browser: Browser
  let url = ""
  let close: () => void = () => undefined
  beforeAll(async () => {
    const other = createServer((_, response) => response.writeHead(200, { "content-type": "text/html" }).end(runbook))
    await new Promise<void>((resolve) => other.listen(0, "127.0.0.1", resolve))
    const there = `http://127.0.0.1:${(other.address() as AddressInfo).port}/there`
    const answer = await consoleAnswers({
      pages: namedPages([{ title: "Our runbook", src: "/runbook" }, { title: "Elsewhere", src: there }])
    })
    const server = createServer((request, response) => {
      if (answer(request, response)) return
      response.writeHead(200, { "content-type": "text/html" }).end(runbook)
    })
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve))
    url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
    close = () =>
      [server, other].forEach((each) => {
        each.closeAllConnections()
        each.close()
      })
    browser = await startBrowser()
  })
  afterAll(async () => {
    await browser?.close()
    close()
  })

  const open = async (): Promise<Page> => {
    const page = await newPage(browser, { viewport: { width: 1_280, height: 900 } })
    await answerFrom(page, readRecording())
    await page.goto(`${url}/console/w/demo/main/home`)
    return page
  }

  it("are in the sidebar and in the palette, and are told the theme and the workspace", async () => {
    const page = await open()
    await page.getByRole("link", { name: "Our runbook" }).click()
    assert.include(page.url(), "/console/w/demo/main/host/our-runbook")
    const frame = page.frameLocator("iframe[title=\"Our runbook\"]")
    await frame.getByText("theme=light&workspace=demo%2Fmain").waitFor()
    await page.getByRole("button", { name: /^Theme/ }).click()
    await page.getByRole("button", { name: /^Theme/ }).click()
    await frame.getByText("{\"type\":\"trunkline.theme\",\"theme\":\"dark\"}").waitFor()
    await page.keyboard.press("Control+k")
    await page.getByRole("combobox").fill("elsewhere")
    await page.getByRole("option", { name: "Elsewhere", selected: true }).waitFor()
    await page.keyboard.press("Enter")
    await page.frameLocator("iframe[title=\"Elsewhere\"]").getByText("Runbook").waitFor()
    await page.context().close()
  })

  it("cannot read the key of the tab, and nothing else may be framed", async () => {
    const page = await open()
    await page.goto(`${url}/console/w/demo/main/host/our-runbook`)
    await page.frameLocator("iframe").getByText("refused: SecurityError").waitFor()
    const refused = page.waitForEvent("console", (message) => message.text().includes("frame-src"))
    await page.evaluate("document.querySelector('iframe').src = 'http://127.0.0.1:9/evil'")
    await refused
    await page.goto(`${url}/console/w/demo/main/host/unknown`)
    await page.getByText("There is no such page").waitFor()
    await page.context().close()
  })
})
