import type { Browser } from "playwright-core"
import { afterAll, assert, beforeAll, describe, it } from "vitest"
import type { ServerProcess } from "../../../examples/server/test/ServerProcess.js"
import { hasBrowser, startBrowser } from "./Browser.js"
import { startDemo } from "./Demo.js"
import { newPage, whenSettled } from "./Settled.js"

const pages = [
  "home",
  "campaigns",
  "calls",
  "calls?tab=ended",
  "agents",
  "deployments",
  "boards",
  "voices",
  "playground"
]

const beyondTheEdge = "document.documentElement.scrollWidth - window.innerWidth"

describe.skipIf(!hasBrowser)(
  "the console in a browser (skipped where the Debian package chromium is not installed)",
  () => {
    let browser: Browser
    let server: ServerProcess
    let link = ""
    beforeAll(async () => {
      const started = await Promise.all([startBrowser(), startDemo()])
      browser = started[0]
      server = started[1].server
      link = started[1].link
    })
    afterAll(async () => {
      await browser?.close()
      await server?.stop("SIGKILL")
    })

    /** A page at an address, and what went wrong in it. */
    const open = async (address: string, width: number, colorScheme: "light" | "dark" = "light") => {
      const page = await newPage(browser, { viewport: { width, height: 844 }, colorScheme })
      const faults: Array<string> = []
      page.on("pageerror", ({ message }) => faults.push(message))
      await page.goto(address)
      return { page, faults }
    }

    it("opens signed in from the link, shows the campaign, and keeps the key out of the address", async () => {
      const { faults, page } = await open(link, 1_280)
      await page.getByRole("heading", { name: "Payment reminders" }).waitFor()
      await page.getByText("On the phone").waitFor()
      assert.notInclude(page.url(), "sk_test")
      assert.match(page.url(), /\/console\/w\/demo\/main\/campaigns\/camp-/)
      await page.reload()
      await page.getByRole("heading", { name: "Payment reminders" }).waitFor()
      assert.deepStrictEqual(faults, [])
      await page.context().close()
    })

    it("tells why a person was not called, from the list of people", async () => {
      const { page } = await open(link, 1_280)
      await page.getByRole("link", { name: "People" }).click()
      await page.locator("[role=row].link").first().click()
      await page.getByRole("dialog").getByText("Reason", { exact: true }).waitFor()
      await page.context().close()
    })

    for (const [width, theme] of [[1_280, "light"], [390, "dark"]] as const) {
      it(`shows each page without a fault at ${width} pixels in the ${theme} theme`, async () => {
        const { faults, page } = await open(link, width, theme)
        await page.getByRole("heading", { name: "Payment reminders" }).waitFor()
        for (const path of pages) {
          await page.goto(`${server.url}/console/w/demo/main/${path}`)
          await page.getByRole("heading", { level: 1 }).waitFor()
          await whenSettled(page)
          assert.isAtMost(await page.evaluate<number>(beyondTheEdge), 0, `${path} stays within the window`)
          assert.deepStrictEqual(await page.getByRole("alert").allTextContents(), [], `${path} has no error`)
        }
        assert.deepStrictEqual(faults, [])
        await page.context().close()
      })
    }

    it("shows the charts of a board", async () => {
      const { page } = await open(link, 1_280)
      await page.goto(`${server.url}/console/w/demo/main/boards`)
      await page.locator("main").getByRole("link", { name: "Payment reminders" }).click()
      await page.getByRole("img", { name: "Chart of Calls so far" }).waitFor()
      await page.context().close()
    })

    it("says that a key is wrong, and opens with the right one", async () => {
      const { page } = await open(`${server.url}/`, 1_280)
      await page.getByLabel("API key").fill("sk_test_wrong")
      await page.getByLabel("Organisation").fill("demo")
      await page.getByLabel("Workspace").fill("main")
      await page.getByRole("button", { name: "Open the console" }).click()
      await page.getByRole("alert").getByText(/key/).waitFor()
      await page.getByLabel("API key").fill(new URLSearchParams(new URL(link).hash.slice(1)).get("key") ?? "")
      await page.getByRole("button", { name: "Open the console" }).click()
      await page.getByRole("heading", { name: "Home" }).waitFor()
      await page.context().close()
    })

    it("is steered by keyboard: the palette finds a campaign", async () => {
      const { page } = await open(link, 1_280)
      await page.getByRole("heading", { name: "Payment reminders" }).waitFor()
      await page.keyboard.press("Control+k")
      await page.getByRole("combobox").fill("deploy")
      await page.getByRole("option", { name: /Deployments/ }).waitFor()
      await page.keyboard.press("Enter")
      await page.getByRole("heading", { name: "Deployments and numbers" }).waitFor()
      await page.context().close()
    })
  }
)
