import type { Browser, Page } from "playwright-core"
import { afterAll, assert, beforeAll, describe, it } from "vitest"
import { hasBrowser, startBrowser } from "./Browser.js"
import { type Demo, openDemo, startDemo } from "./Demo.js"

/** Fast enough to see a campaign end. */
const speed = 5

/** People of a campaign that a busy machine does not finish while it looks at it. */
const many = 400

/** People who answer the demo's simulated phones, P1 and on; the first is slow. */
const people = (count: number) =>
  [
    "phone,id,customer_name,amount_due,due_date",
    ...Array.from({ length: count }, (_, index) =>
      `98123${String((index === 0 ? 45_699 : 45_611) + index * 100)},P${index + 1},Asha,1200,1 May 2026`)
  ].join("\n")

/** Fills the steps of a new campaign that calls around the clock and never again, up to its creation. */
const createCampaign = async (page: Page, name: string, count: number, dialsPerSecond: string) => {
  await page.getByLabel("Name of the campaign").fill(name)
  await page.getByLabel("Agent").selectOption("collections")
  await page.getByLabel("Line").selectOption({ index: 1 })
  await page.getByRole("button", { name: "Next" }).click()
  await page.getByLabel("From").fill("00:00")
  await page.getByRole("textbox", { name: "Until" }).fill("24:00")
  for (const day of await page.getByRole("group", { name: "Days" }).getByRole("checkbox").all()) await day.check()
  await page.getByLabel("Dials a second, at most").fill(dialsPerSecond)
  await page.getByLabel("Retries of a person").fill("0")
  await page.getByRole("button", { name: "Next" }).click()
  await page.getByLabel("CSV file").setInputFiles({
    name: "people.csv",
    mimeType: "text/csv",
    buffer: Buffer.from(people(count))
  })
  await page.getByRole("button", { name: "Create it, paused" }).click()
  await page.getByText(`${count} people are in the campaign`).waitFor()
}

const stat = (page: Page, name: string) => page.locator(".stat").filter({ has: page.getByText(name, { exact: true }) })

const bar = (page: Page) => page.getByRole("progressbar", { name: "People done" })

/** People done, as the page tells. */
const done = async (page: Page) => Number(await bar(page).getAttribute("aria-valuenow"))

/** Waits until another number of people is done. */
const otherThan = (page: Page, count: number) =>
  page.locator(`[role=progressbar]:not([aria-valuenow="${count}"])`).waitFor()

describe.skipIf(!hasBrowser)(
  "a campaign in the console, from its rehearsal to its end (skipped without chromium)",
  () => {
    let browser: Browser
    let demo: Demo
    beforeAll(async () => {
      const started = await Promise.all([startBrowser(), startDemo(speed)])
      browser = started[0]
      demo = started[1]
    })
    afterAll(async () => {
      await browser?.close()
      await demo?.server.stop("SIGKILL")
    })

    it("rehearses a campaign with its own people before anybody is called, and follows it to its end", async () => {
      const page = await openDemo(browser, demo, "campaigns/new")
      await createCampaign(page, "May reminders", 3, "2")
      await page.getByRole("button", { name: "Rehearse", exact: true }).click()
      await page.getByText("Everybody is done before the campaign ends.").waitFor()
      await stat(page, "Dials").getByText("3 people").waitFor()
      await page.getByRole("heading", { name: "Calls of each hour" }).waitFor()
      await page.getByRole("link", { name: "Leave it paused" }).click()
      await page.getByRole("heading", { name: "May reminders" }).waitFor()
      await stat(page, "Answered").getByText("of 0 attempts").waitFor()
      await page.getByRole("button", { name: "Resume" }).click()
      await stat(page, "Done").getByText("100 %").waitFor()
      await stat(page, "Answered").getByText("of 3 attempts").waitFor()
      assert.strictEqual(await done(page), 3)
      await page.context().close()
    })

    it("shows a call while it is spoken, and then its record", async () => {
      // A call of a minute, which is hung up once it was seen: a busy machine has the time to look.
      const slow = await startDemo(1)
      const page = await openDemo(browser, slow, "campaigns/new")
      await createCampaign(page, "One call", 1, "2")
      await page.getByRole("button", { name: "Start calling" }).click()
      await page.locator("article").getByRole("link").click()
      await page.getByText("Talking", { exact: true }).waitFor()
      const said = page.getByRole("list", { name: "What was said" })
      await said.getByRole("listitem").nth(1).waitFor()
      assert.strictEqual(await page.getByRole("heading", { name: "Record" }).count(), 0, "the call goes on")
      const words = await said.locator("p").first().innerText()
      await page.getByRole("button", { name: "Hang up", exact: true }).click()
      await page.getByRole("button", { name: "Hang up now" }).click()
      await page.getByRole("heading", { name: "Call of P1" }).waitFor()
      await page.getByRole("heading", { name: "Record" }).waitFor()
      await said.getByText(words).first().waitFor()
      await page.context().close()
      await slow.server.stop("SIGKILL")
    })

    it("pauses a campaign, so that nobody is called, and resumes it", async () => {
      const page = await openDemo(browser, demo, "campaigns/new")
      await createCampaign(page, "Slow reminders", many, "0.1")
      await page.getByRole("button", { name: "Start calling" }).click()
      await otherThan(page, 0)
      await page.getByRole("button", { name: "Pause" }).click()
      await page.getByRole("heading", { level: 1 }).locator("..").getByText("Paused", { exact: true }).waitFor()
      await page.getByText("The campaign is paused").waitFor()
      await stat(page, "On the phone").locator(".value").getByText("0", { exact: true }).waitFor()
      const before = await done(page)
      assert.isBelow(before, many)
      // Two more looks of the page at a campaign that would have dialled twice between them.
      for (let look = 0; look < 2; look++) await page.waitForResponse(/\/progress$/)
      assert.strictEqual(await done(page), before)
      await page.getByRole("button", { name: "Resume" }).click()
      await otherThan(page, before)
      await page.getByRole("button", { name: "Cancel", exact: true }).click()
      await page.getByRole("dialog").getByRole("button", { name: "Cancel the campaign" }).click()
      await page.getByRole("button", { name: "Resume" }).waitFor({ state: "detached" })
      await page.getByText("Cancelled", { exact: true }).waitFor()
      await page.context().close()
    })

    it("filters a board by a campaign, and keeps the filter in the address", async () => {
      const page = await openDemo(browser, demo, "boards")
      await page.locator("main").getByRole("link", { name: "Payment reminders" }).click()
      const rows = page.getByRole("region", { name: "Round by round" })
      await rows.getByRole("row").nth(1).waitFor()
      await page.getByRole("img", { name: "Chart of How calls ended" }).waitFor()
      await page.getByLabel("Campaign").fill("camp-of-nobody")
      await page.getByLabel("Campaign").blur()
      await page.getByText("The query returned no row.").waitFor()
      assert.include(page.url(), "f.campaign=camp-of-nobody")
      await page.reload()
      await page.getByText("The query returned no row.").waitFor()
      assert.strictEqual(await page.getByLabel("Campaign").inputValue(), "camp-of-nobody")
      await page.getByLabel("Campaign").fill("")
      await page.getByLabel("Campaign").blur()
      await rows.getByRole("row").nth(1).waitFor()
      await page.context().close()
    })
  }
)
