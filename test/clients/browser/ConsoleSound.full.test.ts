import { mkdirSync, readFileSync } from "node:fs"
import { createRequire } from "node:module"
import type { Browser, Page } from "playwright-core"
import { afterAll, assert, beforeAll, describe, it } from "vitest"
import { hasBrowser, startBrowser } from "./Browser.js"
import { payloads } from "./Payloads.js"
import { comparePicture, pictureOf } from "./Pictures.js"
import { newPage, whenSettled } from "./Settled.js"
import { serveSoundCall } from "./SoundCall.js"

const axe = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8")

interface AxeResult {
  readonly violations: ReadonlyArray<{ readonly id: string; readonly nodes: ReadonlyArray<{ readonly html: string }> }>
}

/** Folder for pictures to look at; none are written without it. */
const lookAt = process.env["PICTURES"]

/** Share of the loudest sample of each side in the window of each piece of the axis, and in the pauses of both sides. */
const loudness = `(() => {
  const canvas = document.querySelector(".wave canvas")
  const { height, width } = canvas
  const { data } = canvas.getContext("2d").getImageData(0, 0, width, height)
  const heightOf = (column, side) => {
    let filled = 0
    for (let y = side * height / 2; y < (side + 1) * height / 2; y++) filled += data[(Math.floor(y) * width + column) * 4 + 3] > 0
    return filled / (height / 2)
  }
  const mean = (from, to, side) => {
    let sum = 0
    let count = 0
    for (let x = Math.ceil(from * width); x < Math.floor(to * width); x++, count++) sum += heightOf(x, side)
    return sum / Math.max(1, count)
  }
  const track = document.querySelector(".axis .piece").parentElement.getBoundingClientRect()
  return Array.from(document.querySelectorAll(".axis .piece.agent, .axis .piece.user"), (piece) => {
    const box = piece.getBoundingClientRect()
    const [from, to] = [(box.left - track.left) / track.width, (box.right - track.left) / track.width]
    const side = piece.classList.contains("agent") ? 0 : 1
    return { role: side === 0 ? "agent" : "person", own: mean(from, Math.max(to, from + 0.01), side), other: mean(from, Math.max(to, from + 0.01), 1 - side) }
  })
})()`

describe.skipIf(!hasBrowser)("a call with sound in the console (skipped without chromium)", () => {
  let browser: Browser
  let served: Awaited<ReturnType<typeof serveSoundCall>>
  beforeAll(async () => {
    served = await serveSoundCall()
    browser = await startBrowser()
  })
  afterAll(async () => {
    await browser?.close()
    await served?.close()
  })

  const open = async (id: string, width = 1_280, colorScheme: "light" | "dark" = "light") => {
    const page = await newPage(browser, {
      viewport: { width, height: 1_000 },
      colorScheme,
      reducedMotion: "reduce",
      timezoneId: "Asia/Kolkata",
      locale: "en-GB"
    })
    await page.clock.setFixedTime(new Date("2024-05-20T05:00:00Z"))
    await page.addInitScript(`sessionStorage.setItem("trunkline.key", ${JSON.stringify(served.key)})`)
    await page.goto(`${served.url}/console/w/${served.workspace}/calls/${id}`)
    await page.getByRole("heading", { level: 1 }).waitFor()
    await page.getByText("Turns, step by step").waitFor()
    await whenSettled(page)
    return page
  }

  const openTurn = async (page: Page, words: string) => {
    await page.locator("summary").filter({ hasText: words }).first().click()
    await page.locator("details.exchange[open]").getByText("Why the turn ended here").waitFor()
  }

  /** Waits until an expression is true in the page, whose policy forbids to evaluate one there again and again. */
  const until = async (page: Page, expression: string): Promise<void> => {
    while (!(await page.evaluate<boolean>(expression))) await page.waitForTimeout(50)
  }

  it("shows its waveform in step with both sides", async () => {
    const page = await open(served.call)
    await page.locator(".wave canvas").waitFor()
    await until(page, "document.querySelector('.wave canvas').width > 300")
    const pieces = await page.evaluate<ReadonlyArray<{ role: string; own: number; other: number }>>(loudness)
    assert.isAtLeast(pieces.filter(({ role }) => role === "person").length, 4)
    for (const { other, own, role } of pieces) {
      assert.isAbove(own, 0.25, `the ${role} sounds where the axis has its turn`)
      assert.isAbove(own, other * 2, `the other side is quiet while the ${role} speaks`)
    }
    await page.context().close()
  })

  it("moves through the recording from its transcript, and marks what is spoken", async () => {
    const page = await open(served.call)
    await page.locator("audio").waitFor()
    await page.getByRole("list", { name: "What was said" }).getByRole("button").nth(2).click()
    await until(page, "document.querySelector('audio').currentTime > 3")
    assert.include(await page.locator(".turn.present").innerText(), "For how many people")
    assert.strictEqual(await page.locator(".wave .position").count(), 1)
    await page.context().close()
  })

  it("opens each turn to why it ended and to what the model was sent", async () => {
    const page = await open(served.call)
    await openTurn(page, "I would like to book a table.")
    const turn = page.locator("details.exchange[open]")
    await turn.getByText("400 ms are enough after a finished sentence.").waitFor()
    await turn.getByText("Prepared while the turn could still go on").waitFor()
    await turn.getByText("Instructions").click()
    await turn.getByText("You take bookings for a restaurant.").waitFor()
    assert.match(page.url(), /\?turn=1$/)
    await page.locator("summary").filter({ hasText: "At seven." }).first().click()
    const last = page.locator("details.exchange[open]").last()
    await last.getByText(/messages as before/).first().waitFor()
    await last.locator("code").getByText("set_variables").first().waitFor()
    await page.context().close()
  })

  it(`runs nothing that was said or sent: ${payloads.length} payloads in every text`, async () => {
    const page = await open(served.call)
    let next = 0
    const written = /"(content|system|arguments|completeness|failure|en_text|model|tool_name)":"(?:[^"\\]|\\.)*"/g
    const fill = (text: string) =>
      text.replaceAll(written, (_, field: string) => `"${field}":${JSON.stringify(payloads[next++ % payloads.length])}`)
    await page.route(/\/attempts\/[0-9a-f-]+$/, async (route) => {
      const response = await route.fetch()
      await route.fulfill({ response, body: fill(await response.text()) })
    })
    const ran: Array<string> = []
    page.on("dialog", (dialog) => {
      ran.push(dialog.message())
      void dialog.dismiss()
    })
    page.on("request", (request) => {
      if (!request.url().startsWith(served.url) && !/^(blob|data):/.test(request.url())) ran.push(request.url())
    })
    await page.reload()
    await whenSettled(page)
    await page.locator("details.exchange > summary").last().click()
    for (const summary of await page.locator("details.exchange[open] details > summary").all()) await summary.click()
    const elements = await page.evaluate<number>(
      "document.querySelectorAll('main script, main iframe, main object, main [onerror], main [onload], main a[href^=\"javascript:\"]').length"
    )
    assert.strictEqual(elements, 0)
    assert.isAbove(next, 20)
    assert.deepStrictEqual(ran, [])
    await page.context().close()
  })

  it("tells what the model was sent before a call failed", async () => {
    const page = await open(served.failed)
    await page.locator("summary").filter({ hasText: "For four people." }).first().click()
    await page.getByText("The model did not answer in time").first().waitFor()
    await page.context().close()
  })

  for (const theme of ["light", "dark"] as const) {
    it(`has no fault that axe-core knows, in the ${theme} theme`, async () => {
      for (const id of [served.call, served.failed]) {
        const page = await open(id, 1_280, theme)
        await page.locator("details.exchange > summary").first().click()
        await page.evaluate(axe)
        const { violations } = await page.evaluate<AxeResult>("axe.run(document, { resultTypes: ['violations'] })")
        assert.deepStrictEqual(violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join()}`), [])
        await page.context().close()
      }
    })
  }

  for (const width of [1_280, 768, 390]) {
    for (const theme of ["light", "dark"] as const) {
      it(`looks as it was approved at ${width} pixels in the ${theme} theme`, async () => {
        const page = await open(served.call, width, theme)
        await until(page, "(document.querySelector('.wave canvas')?.width ?? 0) > 100")
        await openTurn(page, "For four people.")
        if (lookAt !== undefined) {
          mkdirSync(lookAt, { recursive: true })
          await page.screenshot({ path: `${lookAt}/call-${width}-${theme}.png`, fullPage: true })
        }
        assert.isNull(await comparePicture(`sound-${width}-${theme}`, await pictureOf(page)))
        assert.isAtMost(await page.evaluate<number>("document.documentElement.scrollWidth"), width)
        await page.context().close()
      })
    }
  }
})
