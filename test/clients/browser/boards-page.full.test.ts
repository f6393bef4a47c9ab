import type { Browser, Page } from "playwright-core"
import { afterAll, assert, beforeAll, describe, it } from "vitest"
import { type ServerProcess, startServer } from "../../../examples/server/test/ServerProcess.js"
import { bundled } from "../../programs/Programs.js"
import { hasBrowser, rowsOf, sightOf, startBrowser } from "./Browser.js"

const gap = 16

/** Cards fill their rows to the edges, next to each other; charts are whole and shown as large as they were drawn. */
const looksRight = async (page: Page) => {
  const { beyond, cards, charts, main } = await sightOf(page)
  assert.isAtMost(beyond, 0, "nothing lies beyond the edge of the window")
  assert.lengthOf(cards, 4)
  let { top } = main
  for (const row of rowsOf(cards)) {
    let { left } = main
    for (const card of row) {
      assert.closeTo(card.left, left, 1, "no hole before a card")
      assert.closeTo(card.top, top, 1, "no hole above a card")
      assert.closeTo(card.bottom, row[0]?.bottom ?? 0, 1, "the cards of a row are equally high")
      left = card.right + gap
    }
    assert.closeTo(left - gap, main.right, 1, "no hole at the end of a row")
    top = (row[0]?.bottom ?? 0) + gap
  }
  for (const { drawn, isWhole, shown } of charts) {
    assert.isTrue(isWhole)
    assert.closeTo(shown / drawn, 1, 0.05, "so its labels are as large as those of the page")
  }
  assert.isFalse(await page.locator("form").isVisible())
  assert.isTrue(await page.locator("#refresh").isVisible())
  return charts.length
}

/** Heights of a card and of the picture in it, in pixels. */
interface Picture {
  readonly height: number
  readonly shown: number
}

/** Reads them in a browser, of all cards with a picture. */
const picturesInCards = `Array.from(document.querySelectorAll("article:has(> img)"), (card) => {
  const { clientWidth, naturalHeight, naturalWidth } = card.querySelector("img")
  return { height: card.clientHeight, shown: clientWidth * naturalHeight / naturalWidth }
})`

const talks = "article.table tbody tr:first-child td:nth-child(2)"

describe.skipIf(!hasBrowser)(
  "the page in a browser (skipped where the Debian package chromium is not installed)",
  () => {
    let browser: Browser
    let server: ServerProcess
    let link = ""
    beforeAll(async () => {
      const command = [await bundled("examples/server/src/main.ts")]
      const started = await Promise.all([startBrowser(), startServer(["--data", ":memory:"], { command })])
      browser = started[0]
      server = started[1]
      await server.printed(/^http\S+#\S+$/m)
      link = /^http\S+#\S+$/m.exec(server.output())?.[0] ?? ""
    })
    afterAll(async () => {
      await browser?.close()
      await server?.stop("SIGKILL")
    })

    /** A page at an address, and what went wrong in it. */
    const open = async (address: string, width: number, colorScheme: "light" | "dark" = "light") => {
      const page = await browser.newPage({ viewport: { width, height: 844 }, colorScheme })
      const faults: Array<string> = []
      page.on("pageerror", ({ message }) => faults.push(message))
      await page.goto(address)
      return { page, faults }
    }

    it("looks right at 1280 and 390 pixels before the first call, during the campaign without a reload, and after it", async () => {
      const wide = await open(link, 1_280)
      const narrow = await open(link, 390, "dark")
      const nothing = link.replace(/campaign=[^&]*/, "campaign=none")
      for (const width of [1_280, 390]) {
        const { faults, page } = await open(nothing, width)
        await page.getByText("No calls yet.").nth(3).waitFor()
        assert.strictEqual(await looksRight(page), 0)
        assert.deepStrictEqual(faults, [])
        await page.close()
      }
      for (const { page } of [wide, narrow]) {
        await page.evaluate("window.isSame = true")
        await page.locator("article img").nth(2).waitFor()
        assert.strictEqual(await looksRight(page), 3)
        assert.notInclude(page.url(), "sk_")
      }
      assert.notInclude(server.output(), "Still serving", "the campaign goes on")
      await server.printed(/^Still serving/m)
      for (const { faults, page } of [wide, narrow]) {
        await page.locator(talks, { hasText: /^53$/ }).waitFor({ timeout: 120_000 })
        assert.strictEqual(await looksRight(page), 3)
        assert.isTrue(await page.evaluate("window.isSame"), "it was not loaded again")
        assert.deepStrictEqual(faults, [])
        await page.close()
      }
    })

    it("has no empty band in its cards when the window becomes narrow, at once and after its charts are drawn anew", async () => {
      const { page } = await open(link, 1_280)
      await page.locator("article img").nth(2).waitFor({ timeout: 120_000 })
      await page.setViewportSize({ width: 390, height: 844 })
      await page.locator("main.resized").waitFor()
      for (const { height, shown } of await page.evaluate<ReadonlyArray<Picture>>(picturesInCards)) {
        assert.closeTo(shown, height, 2)
      }
      await page.locator("main:not(.resized)").waitFor({ timeout: 60_000 })
      assert.strictEqual(await looksRight(page), 3)
      await page.close()
    })

    it("asks for a key where it is wrong, says so, and gives way to the board once it is right", async () => {
      const right = new URLSearchParams(new URL(link).hash.slice(1)).get("key") ?? ""
      for (const width of [1_280, 390]) {
        const { page } = await open(link.replace(right, "sk_test_nobody_knowsThis"), width)
        const key = page.getByLabel("API key")
        await page.getByText("does not know this key").waitFor()
        assert.isTrue(await key.isVisible())
        assert.strictEqual(await page.evaluate("document.activeElement.name"), "key")
        assert.isFalse(await page.locator("#refresh").isVisible())
        await key.fill(right)
        await key.press("Enter")
        await page.locator("article.table td").first().waitFor({ timeout: 120_000 })
        await page.locator("article img").nth(2).waitFor({ timeout: 120_000 })
        await looksRight(page)
        await page.close()
      }
    })

    it("keeps the board while the server is away, and says so", async () => {
      const { page } = await open(link, 390)
      await page.locator("article img").nth(2).waitFor({ timeout: 120_000 })
      await server.stop("SIGKILL")
      await page.locator("#refresh").click()
      await page.getByText(/^The server does not answer\. Trying again in \d+ seconds\.$/).waitFor()
      assert.strictEqual(await looksRight(page), 3)
    })
  }
)
