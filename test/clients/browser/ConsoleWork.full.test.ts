import type { Browser } from "playwright-core"
import { afterAll, assert, beforeAll, describe, it } from "vitest"
import { hasBrowser, startBrowser } from "./Browser.js"
import { type Demo, openDemo, startDemo } from "./Demo.js"

const list = "phone,id,customer_name,amount_due,due_date\n"
  + "9812345601,P1,Asha,1200,1 May 2026\n9812345602,P2,Ravi,800,2 May 2026\nnot a number,P3,Nobody,1,3 May 2026\n"

/** A clip of six seconds with a voice-like tone. */
const tone = () => {
  const [rate, length] = [16_000, 16_000 * 6]
  const wav = Buffer.alloc(44 + length * 2)
  wav.write("RIFF", 0)
  wav.writeUInt32LE(36 + length * 2, 4)
  wav.write("WAVEfmt ", 8)
  wav.writeUInt32LE(16, 16)
  wav.writeUInt16LE(1, 20)
  wav.writeUInt16LE(1, 22)
  wav.writeUInt32LE(rate, 24)
  wav.writeUInt32LE(rate * 2, 28)
  wav.writeUInt16LE(2, 32)
  wav.writeUInt16LE(16, 34)
  wav.write("data", 36)
  wav.writeUInt32LE(length * 2, 40)
  for (let at = 0; at < length; at++) {
    const loudness = 0.4 + 0.3 * Math.sin(at / 2_000)
    wav.writeInt16LE(Math.round(16_000 * loudness * Math.sin((at / rate) * 2 * Math.PI * 160)), 44 + at * 2)
  }
  return wav
}

describe.skipIf(!hasBrowser)("work in the console (skipped where the Debian package chromium is not installed)", () => {
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

  const open = (path: string) => openDemo(browser, demo, path)

  it("talks with an agent by text, with its variables, up to hanging up", async () => {
    const page = await open("agents/collections?tab=talk")
    await page.getByLabel("customer_name").fill("Asha Rao")
    await page.getByRole("button", { name: "Begin" }).click()
    await page.getByRole("log").getByText("Asha Rao").waitFor()
    await page.getByLabel("Words of the person").fill("yes")
    await page.getByRole("button", { name: "Say" }).click()
    await page.getByRole("log").locator(".bubble").nth(2).waitFor()
    await page.getByRole("button", { name: "Hang up" }).click()
    await page.getByText("The talk is over").waitFor()
    await page.context().close()
  })

  it("tells what a call by voice needs, before the microphone is asked for", async () => {
    const page = await open("agents/collections?tab=voice")
    await page.getByRole("button", { name: "Call", exact: true }).click()
    await page.getByText("set up a transcriber").waitFor()
    await page.context().close()
  })

  it("tells what the key may and the account has used", async () => {
    const page = await open("account")
    await page.getByRole("heading", { name: "This key" }).waitFor()
    await page.getByRole("region", { name: "Limits" }).getByText("Campaigns", { exact: true }).waitFor()
    assert.notInclude(await page.locator("main").innerText(), "sk_test")
    await page.context().close()
  })

  it("runs a campaign from its list to its start, with the row that is rejected", async () => {
    const page = await open("campaigns/new")
    await page.getByLabel("Name of the campaign").fill("May reminders")
    await page.getByLabel("Agent").selectOption("collections")
    await page.getByLabel("Line").selectOption({ index: 1 })
    await page.getByRole("button", { name: "Next" }).click()
    await page.getByRole("button", { name: "Next" }).click()
    await page.getByLabel("CSV file").setInputFiles({
      name: "may.csv",
      mimeType: "text/csv",
      buffer: Buffer.from(list)
    })
    await page.getByText("not a number").waitFor()
    await page.getByRole("button", { name: "Create it, paused" }).click()
    await page.getByText("2 people are in the campaign, 1 rows were rejected").waitFor()
    await page.getByRole("button", { name: "Start calling" }).click()
    await page.getByRole("heading", { name: "May reminders" }).waitFor()
    await page.context().close()
  })

  it("makes a voice of a clip, and speaks a text with it", async () => {
    const page = await open("voices")
    await page.getByRole("button", { name: "Make the first" }).click()
    await page.getByRole("dialog").getByLabel("Name").fill("Asha")
    await page.getByLabel("Clip", { exact: true }).setInputFiles({
      name: "clip.wav",
      mimeType: "audio/wav",
      buffer: tone()
    })
    await page.getByRole("button", { name: "Save the voice" }).click()
    await page.getByRole("button", { name: "Speak" }).click()
    await page.getByLabel("The spoken text").waitFor()
    await page.context().close()
  })

  it("says that the server does not answer, and goes on once it does", async () => {
    const page = await open("agents")
    await page.getByRole("link", { name: "collections" }).waitFor()
    await page.route(/\/v1\/orgs\//, (route) => route.abort("connectionrefused"))
    await page.getByRole("navigation", { name: "Pages" }).getByRole("link", { name: "Deployments" }).click()
    await page.getByRole("alert").getByText("The server does not answer").waitFor()
    await page.unroute(/\/v1\/orgs\//)
    await page.getByRole("button", { name: "Try again" }).click()
    await page.getByText("No deployment yet").waitFor()
    await page.context().close()
  })

  it("asks for another key once it was revoked, and says why", async () => {
    const page = await open("agents")
    let isRevoked = false
    await page.route(
      /\/v1\/orgs\//,
      (route) =>
        isRevoked
          ? route.fulfill({
            status: 401,
            json: { error: { message: "The API key is unknown.", code: "invalid_api_key_error" } }
          })
          : route.continue()
    )
    // Not before: a request of the page that is left would end the session, and take the reason with it.
    page.on("framenavigated", () => {
      isRevoked = true
    })
    await page.reload()
    await page.getByText("The server does not know this key, or it was revoked").waitFor()
    await page.getByLabel("API key").waitFor()
    await page.context().close()
  })
})
