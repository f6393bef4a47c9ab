import type { Browser, Page } from "playwright-core"
import { afterAll, assert, beforeAll, describe, it } from "vitest"
import { hasBrowser, startBrowser } from "./Browser.js"
import { type Demo, openDemo, startDemo } from "./Demo.js"
import { whenSettled } from "./Settled.js"

/** A list of somebody who knows nothing of the agent: columns of their own, bad rows, and markup. */
const list = [
  "Full Name;Mobile No.;Ort \"Stadt\";Amount due (INR);Customer ID",
  "Asha Sharma;+91 98200 12345;Mumbai;1200;A-1",
  "<b>Bobby</b>;+919820012346;Pune;900;A-2",
  "Devi;12;Chennai;55;A-4",
  "Hari;+919820012351"
].join("\n")

const stat = (page: Page, name: string) => page.locator(".stat").filter({ has: page.getByText(name, { exact: true }) })

const option = (page: Page, label: string) => page.getByLabel(label).locator("option:checked").textContent()

describe.skipIf(!hasBrowser)("the console for somebody who has read nothing (skipped without chromium)", () => {
  let browser: Browser
  let demo: Demo
  beforeAll(async () => {
    const started = await Promise.all([startBrowser(), startDemo()])
    browser = started[0]
    demo = started[1]
  })
  afterAll(async () => {
    await browser?.close()
    await demo?.server.stop("SIGKILL")
  })

  it("takes a list of any columns, and has its people before the first hour and while hours change", async () => {
    const page = await openDemo(browser, demo, "campaigns/new")
    await page.getByLabel("Name of the campaign").fill("Überfällige Raten")
    // The only agent and the only line are chosen.
    await page.getByRole("button", { name: "Next" }).click()
    for (const day of await page.getByRole("group", { name: "Days" }).getByRole("checkbox").all()) await day.uncheck()
    await page.getByRole("group", { name: "Days" }).getByText("Sun").click()
    await page.getByLabel("From").fill("03:00")
    await page.getByRole("textbox", { name: "Until" }).fill("03:01")
    await page.getByRole("button", { name: "Next" }).click()
    await page.getByLabel("CSV file").setInputFiles({
      name: "people.csv",
      mimeType: "text/csv",
      buffer: Buffer.from(list)
    })
    await page.getByText("2 of 4 rows would be taken").waitFor()
    assert.strictEqual(await option(page, "customer_name"), "Full Name")
    assert.strictEqual(await option(page, "amount_due"), "Amount due (INR)")
    await page.getByText("No column fills due_date").waitFor()
    await page.getByRole("button", { name: "Create it, paused" }).click()
    await page.getByText("2 people are in the campaign, 2 rows were rejected").waitFor()
    await page.getByRole("button", { name: "Start calling" }).click()
    await stat(page, "People").getByText("2 waiting").waitFor()
    await page.getByText(/^The campaign does not dial at this hour; not before [^TZ]*\.$/).waitFor()
    await page.getByRole("link", { name: "People" }).click()
    await page.getByText("2 people wait in the lists").waitFor()
    await page.getByRole("link", { name: "Settings" }).click()
    await page.getByLabel("Dials a second, at most").fill("0")
    await page.getByRole("button", { name: "Save" }).click()
    await page.getByRole("alert").first().waitFor()
    await page.getByLabel("Dials a second, at most").fill("3")
    await page.getByRole("button", { name: "Save" }).click()
    await page.getByText("Saved. It applies from the next dial on.").waitFor()
    await page.getByRole("heading", { level: 1 }).locator("..").getByText("Active", { exact: true }).waitFor()
    await page.context().close()
  })

  it("adds a chart from its query alone, in an editor that has its looks", async () => {
    const page = await openDemo(browser, demo, "boards")
    const faults: Array<string> = []
    page.on("console", (message) => message.text().includes("Content Security Policy") && faults.push(message.text()))
    await page.locator("main").getByRole("link", { name: "Payment reminders" }).click()
    await page.getByRole("button", { name: "Add a widget" }).click()
    await page.locator(".cm-line").nth(3).waitFor()
    const display = await page.evaluate<string>(
      "getComputedStyle(document.querySelector('.sql').shadowRoot.querySelector('.cm-scroller')).display"
    )
    assert.include(display, "flex")
    await page.getByLabel("Name", { exact: true }).fill("By status")
    await page.getByRole("button", { name: "Save" }).click()
    await page.getByRole("img", { name: "Chart of By status" }).waitFor()
    assert.deepStrictEqual(faults, [])
    await page.context().close()
  })

  it("makes a deployment, and blocks a number", async () => {
    const page = await openDemo(browser, demo, "deployments")
    await page.getByRole("button", { name: "Create the first" }).click()
    await page.getByLabel("Name", { exact: true }).fill("Front desk")
    await page.getByText("+911140000001").click()
    await page.getByRole("button", { name: "Answer calls" }).click()
    await page.getByRole("heading", { name: "Front desk" }).waitFor()
    await page.getByRole("link", { name: "Blocked numbers" }).click()
    await page.getByText("Nobody is blocked").waitFor()
    await page.getByLabel("Phone number").fill("+919820012345")
    await page.getByRole("button", { name: "Block", exact: true }).click()
    await page.getByRole("cell", { name: "+919820012345" }).waitFor()
    await page.context().close()
  })

  it("shows what differs between two versions of an agent, and leaves out what does not", async () => {
    const page = await openDemo(browser, demo, "agents/collections?tab=differences")
    const differences = page.getByRole("region", { name: "Differences" })
    await differences.getByText("Can you pay it by Friday?").waitFor()
    await whenSettled(page)
    assert.match(await differences.innerText(), /… \d+ lines that are the same/)
    await page.context().close()
  })
})
