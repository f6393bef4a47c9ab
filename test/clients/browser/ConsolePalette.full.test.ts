import type { Browser } from "playwright-core"
import { afterAll, beforeAll, describe, it } from "vitest"
import { hasBrowser, startBrowser } from "./Browser.js"
import { answerFrom, readRecording, servePage } from "./Recorded.js"
import { newPage } from "./Settled.js"

describe.skipIf(!hasBrowser)("the palette of the console (skipped without chromium)", () => {
  const recording = readRecording()
  const [, { body }] = Object.entries(recording.answers).find(([name]) => /^GET .*\/campaigns\?/.test(name)) ??
    ["", { body: "{}" }]
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

  /** Home, where searches of campaigns are answered once `answer` was called, and that key presses reach at once. */
  const open = async () => {
    const page = await newPage(browser, { viewport: { width: 1_280, height: 900 } })
    let answer = () => {}
    const isAsked = new Promise<void>((resolve) => (answer = resolve))
    await answerFrom(page, recording)
    await page.route(/\/campaigns\?.*search=/, async (route) => {
      await isAsked
      const text = new URL(route.request().url()).searchParams.get("search") ?? ""
      const { items, ...rest } = JSON.parse(body)
      const found = items.filter(({ name }: { readonly name: string }) => name.toLowerCase().includes(text))
      return route.fulfill({ json: { ...rest, items: found } })
    })
    await page.goto(`${served.url}/console/w/demo/main/home`)
    await page.getByRole("heading", { name: "Home" }).waitFor()
    return { page, answer }
  }

  it("takes what is typed right after it was opened", async () => {
    const { page } = await open()
    await page.keyboard.press("Control+k")
    await page.keyboard.type("deploy")
    await page.keyboard.press("Enter")
    await page.getByRole("heading", { name: "Deployments and numbers" }).waitFor()
    await page.context().close()
  })

  it("opens a campaign that was typed and entered before it was found", async () => {
    const { answer, page } = await open()
    await page.keyboard.press("Control+k")
    await page.keyboard.type("payment rem")
    await page.keyboard.press("Enter")
    await page.getByText("Searching…").waitFor()
    answer()
    await page.getByRole("heading", { name: "Payment reminders" }).waitFor()
    await page.context().close()
  })

  it("opens no result of what was typed before", async () => {
    const { answer, page } = await open()
    answer()
    await page.keyboard.press("Control+k")
    await page.getByRole("combobox").fill("payment")
    await page.getByRole("option", { name: "Payment reminders Campaign" }).waitFor()
    await page.keyboard.type(" of nobody")
    await page.keyboard.press("Enter")
    await page.getByText("Nothing has this name.").waitFor()
    await page.context().close()
  })
})
