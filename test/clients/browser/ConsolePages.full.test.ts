import { readFileSync } from "node:fs"
import { createRequire } from "node:module"
import type { Browser, Page } from "playwright-core"
import { afterAll, assert, beforeAll, describe, it } from "vitest"
import { hasBrowser, startBrowser } from "./Browser.js"
import { consolePages } from "./ConsolePages.js"
import { payloads } from "./Payloads.js"
import { comparePicture, pictureOf } from "./Pictures.js"
import { addressOf, answerFrom, callsGoingOn, readRecording, servePage } from "./Recorded.js"
import { newPage, whenSettled } from "./Settled.js"

const axe = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8")

interface AxeResult {
  readonly violations: ReadonlyArray<{ readonly id: string; readonly nodes: ReadonlyArray<{ readonly html: string }> }>
}

const names = Object.keys(consolePages)

describe.skipIf(!hasBrowser)("each page of the console, with recorded answers (skipped without chromium)", () => {
  const recording = readRecording()
  const going = callsGoingOn(recording)
  let browser: Browser
  let served: Awaited<ReturnType<typeof servePage>>
  beforeAll(async () => {
    served = await servePage({ events: recording.events })
    browser = await startBrowser()
  })
  afterAll(async () => {
    await browser?.close()
    await served?.close()
  })

  /** Shows a page, once the live calls have come and nothing is loading any more. */
  const show = async (page: Page, name: string, url = served.url) => {
    await page.goto(`${url}/console/w/demo/main/${addressOf(recording, name)}`)
    await page.getByRole("heading", { level: 1 }).waitFor()
    await page.locator("nav .count").getByText(String(going), { exact: true }).waitFor({ state: "attached" })
    await whenSettled(page)
  }

  const open = async (width: number, colorScheme: "light" | "dark", change?: (text: string) => string) => {
    const page = await newPage(browser, {
      viewport: { width, height: 900 },
      colorScheme,
      reducedMotion: "reduce",
      timezoneId: "Asia/Kolkata",
      locale: "en-GB"
    })
    await answerFrom(page, recording, change)
    return page
  }

  for (const theme of ["light", "dark"] as const) {
    it(`has no fault that axe-core knows, in the ${theme} theme`, async () => {
      const page = await open(1_280, theme)
      const faults: Array<string> = []
      for (const name of names) {
        await show(page, name)
        await page.evaluate(axe)
        const { violations } = await page.evaluate<AxeResult>("axe.run(document, { resultTypes: ['violations'] })")
        faults.push(
          ...violations.map(({ id, nodes }) =>
            `${name}: ${id}: ${nodes.map(({ html }) => html).join(" ").slice(0, 300)}`
          )
        )
      }
      assert.deepStrictEqual(faults, [])
      await page.context().close()
    })
  }

  for (const [width, theme] of [[1_280, "light"], [768, "dark"], [390, "light"]] as const) {
    it(`looks as it was approved at ${width} pixels in the ${theme} theme`, async () => {
      const page = await open(width, theme)
      const faults: Array<string> = []
      for (const name of names) {
        await show(page, name)
        const shown = await page.evaluate<number>("document.documentElement.scrollWidth")
        if (shown > width) faults.push(`${name} is ${shown} pixels wide`)
        const fault = await comparePicture(`${name}-${width}-${theme}`, await pictureOf(page))
        if (fault !== null) faults.push(fault)
      }
      assert.deepStrictEqual(faults, [])
      await page.context().close()
    })
  }

  it(`runs nothing that a callee said or a list holds: ${payloads.length} payloads in every text`, async () => {
    let next = 0
    // Every text that people write, wherever an answer has one; ids, codes and times stay.
    const written =
      /"(name|text|en_text|indic_text|user_identifier|user_contact_masked|description|label|reason|failure_reason|prompt|first_message|goodbye_message|say|explanation|last_error|result|tool_name|tool_arguments|language_name|tag|reference_text|detail|display_label|value|url)":"(?:[^"\\]|\\.)*"/g
    const change = (text: string) =>
      text.replaceAll(written, (_, field: string) => `"${field}":${JSON.stringify(payloads[next++ % payloads.length])}`)
    const host = await servePage({ events: recording.events.map(change) })
    const page = await open(1_280, "light", change)
    const ran: Array<string> = []
    await page.exposeFunction("ran", (what: string) => ran.push(what))
    page.on("dialog", (dialog) => {
      ran.push(dialog.message())
      void dialog.dismiss()
    })
    page.on("request", (request) => {
      if (!request.url().startsWith(host.url) && !/^(blob|data):/.test(request.url())) ran.push(request.url())
    })
    for (const name of names) {
      await show(page, name, host.url)
      const elements = await page.evaluate<number>(
        "document.querySelectorAll('main script, main iframe, main object, main embed, main [onerror], main [onload], main [onclick], main a[href^=\"javascript:\"]').length"
      )
      assert.strictEqual(elements, 0, `${name} has no element of a payload`)
    }
    assert.isAbove(next, payloads.length)
    assert.deepStrictEqual(ran, [])
    await page.context().close()
    host.close()
  })

  it("offers nothing that changes something when it is served read-only, and shows the links of its host", async () => {
    const host = await servePage({
      events: recording.events,
      readOnly: true,
      links: [{ title: "Our runbook", href: "/runbook" }]
    })
    const page = await open(1_280, "light")
    for (const name of names) {
      await show(page, name, host.url)
      const offers = page.locator("main").getByRole("button", {
        name:
          /^(new|create|save|upload|pause|resume|cancel|block|allow|remove|send again|hang up|plan it|add a widget|begin)/i
      })
      assert.deepStrictEqual(await offers.allTextContents(), [], name)
    }
    assert.strictEqual(await page.getByRole("link", { name: "Our runbook" }).getAttribute("href"), "/runbook")
    await page.context().close()
    host.close()
  })

  it("says so in place of a page that cannot be drawn, until another one is opened", async () => {
    const page = await open(1_280, "light", (text) => text.replaceAll("\"model_inputs\":", "\"of_another_version\":"))
    await page.goto(`${served.url}/console/w/demo/main/${addressOf(recording, "call")}`)
    await page.getByText("This page could not be shown").waitFor()
    await page.getByRole("link", { name: "Campaigns" }).click()
    await page.getByRole("heading", { level: 1, name: "Campaigns" }).waitFor()
    assert.strictEqual(await page.getByText("This page could not be shown").count(), 0)
    await page.context().close()
  })

  it("hangs up a call that goes on, after a second click", async () => {
    const page = await open(1_280, "light")
    const texts: Array<string> = []
    await page.route(/\/hang-up$/, (route) => {
      texts.push(`${route.request().method()} ${new URL(route.request().url()).pathname}`)
      return route.fulfill({ json: { attempt_id: "018f9430-0000-7000-8000-000000000001", status: "ending" } })
    })
    await show(page, "calls")
    await page.getByRole("button", { name: "Hang up", exact: true }).click()
    await page.getByRole("button", { name: "Hang up now" }).click()
    await page.getByRole("status").getByText("Hanging up").waitFor()
    assert.match(texts.join(), /^POST \/v1\/orgs\/demo\/workspaces\/main\/attempts\/[0-9a-f-]+\/hang-up$/)
    await page.context().close()
  })

  it("says that a link belongs to another workspace, and takes another key", async () => {
    const page = await open(1_280, "light")
    await page.route(/\/v1\/orgs\//, (route) =>
      route.fulfill({
        status: 403,
        json: {
          error: {
            message: "This API key has no access to this organisation and workspace",
            code: "not_allowed_error",
            request_id: "req-1"
          }
        }
      }))
    await page.goto(`${served.url}/console/w/other/place/campaigns`)
    const alert = page.getByRole("alert")
    await alert.getByText("This API key has no access to this organisation and workspace").waitFor()
    await alert.getByText("Request req-1").waitFor()
    await alert.getByRole("button", { name: "Use another key" }).click()
    await page.getByLabel("API key").waitFor()
    await page.context().close()
  })
})
