import type { Browser, Page } from "playwright-core"
import { afterAll, assert, beforeAll, describe, it } from "vitest"
import { hasBrowser, startBrowser } from "./Browser.js"
import { addressOf, answerFrom, readRecording, servePage } from "./Recorded.js"
import { newPage } from "./Settled.js"

const [pageSize, total] = [100, 1_000]

describe.skipIf(!hasBrowser)("a long list of the console (skipped without chromium)", () => {
  const recording = readRecording()
  const [, recorded] = Object.entries(recording.answers).find(([name]) =>
    /\/attempts\?limit=100&offset=0/.test(name)
  ) ?? []
  const one = JSON.parse(recorded?.body ?? "{}")
  let browser: Browser
  let served: Awaited<ReturnType<typeof servePage>>
  beforeAll(async () => {
    served = await servePage()
    browser = await startBrowser()
  })
  afterAll(async () => {
    await browser?.close()
    await served?.close()
  })

  /** Ended calls of a thousand people, C0 to C999, in pages. */
  const open = async () => {
    const page = await newPage(browser, { viewport: { width: 1_280, height: 900 } })
    await answerFrom(page, recording)
    await page.route(/\/attempts\?/, (route) => {
      const offset = Number(new URL(route.request().url()).searchParams.get("offset"))
      const items = Array.from({ length: Math.min(pageSize, total - offset) }, (_, index) => ({
        ...one.items[0],
        attempt_id: `018f9430-0000-7000-8000-${String(offset + index).padStart(12, "0")}`,
        user_identifier: `C${offset + index}`
      }))
      return route.fulfill({ json: { ...one, items, offset, total } })
    })
    await page.goto(`${served.url}/console/w/demo/main/${addressOf(recording, "ended")}`)
    await row(page, "C0").waitFor()
    return page
  }
  const row = (page: Page, person: string) =>
    page.locator(".virtual-row.link").filter({ has: page.getByText(person, { exact: true }) })
  const scroll = (page: Page, top: number) => page.evaluate(`document.querySelector(".virtual").scrollTop = ${top}`)
  const focused =
    "document.activeElement?.getAttribute('aria-label') ?? document.activeElement?.querySelector('b')?.textContent"

  it("loads as far as somebody scrolls, and holds only the rows in view", async () => {
    const page = await open()
    for (let loaded = pageSize; loaded <= total; loaded += pageSize) {
      await scroll(page, 1_000_000)
      await row(page, `C${loaded - 1}`).waitFor()
      assert.isBelow(await page.locator(".virtual-row.link").count(), 40)
      await page.getByText(`${Math.min(total, loaded + pageSize).toLocaleString("en-US")} shown`).waitFor()
    }
    await scroll(page, 0)
    await row(page, "C0").waitFor()
    await page.context().close()
  })

  it("keeps the focus at its row while that is in view, and then gives it to the table", async () => {
    const page = await open()
    await row(page, "C2").focus()
    await page.keyboard.press("ArrowDown")
    await page.locator(".virtual-row.link:focus").getByText("C3", { exact: true }).waitFor()
    await scroll(page, 88)
    await row(page, "C17").waitFor()
    assert.strictEqual(await page.evaluate(focused), "C3")
    await scroll(page, 2_000)
    await row(page, "C50").waitFor()
    assert.strictEqual(await page.evaluate(focused), "Ended calls")
    await page.context().close()
  })
})
