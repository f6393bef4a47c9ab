import type { Browser } from "playwright-core"
import { afterAll, assert, beforeAll, describe, it } from "vitest"
import { hasBrowser, startBrowser } from "./Browser.js"
import { addressOf, answerFrom, readRecording, servePage } from "./Recorded.js"
import { newPage } from "./Settled.js"

const id = "018f9430-0000-7000-8000-000000000001"
const at = "2026-11-29T12:58:00.000Z"

/** A call that was answered before the page was opened, as the feed begins with it. */
const ongoing = {
  type: "attempt.ongoing",
  at,
  attempt_id: id,
  campaign_id: null,
  kind: "outbound",
  app_id: "collections",
  app_version: 1,
  cohort_id: null,
  deployment_id: null,
  user_contact_masked: "******3210",
  agent_phone_number: "+911140000001",
  retry_attempt: 0,
  started_at: at,
  answered_at: at,
  interaction_id: "interaction-1",
  turns: [
    { at, role: "agent", text: "Hello from before.", en_text: null, language_name: "English" },
    { at, role: "user", text: "नमस्ते", en_text: "Greetings", language_name: "Hindi" }
  ]
}

/** A request to the model of a talk. */
const input = {
  at,
  turn: 0,
  model: "core-105b",
  system: "You collect payments.",
  kept_messages: 0,
  messages: [{ role: "user", content: "Who is this?" }],
  omitted: 0,
  outcome: "answered",
  failure: null,
  input_tokens: 12,
  output_tokens: 5
}

describe.skipIf(!hasBrowser)("calls and talks that go on in the console (skipped without chromium)", () => {
  const recording = readRecording()
  let browser: Browser
  let served: Awaited<ReturnType<typeof servePage>>
  beforeAll(async () => {
    served = await servePage({ events: [JSON.stringify(ongoing)] })
    browser = await startBrowser()
  })
  afterAll(async () => {
    await browser?.close()
    await served?.close()
  })

  const open = async (path: string) => {
    const page = await newPage(browser, { viewport: { width: 1_280, height: 900 } })
    await answerFrom(page, recording)
    return { page, go: () => page.goto(`${served.url}/console/w/demo/main/${path}`) }
  }

  it("show what was said before the page was opened, also after a reload", async () => {
    const { go, page } = await open(`calls/${id}`)
    const asked: Array<string> = []
    page.on("request", (request) => request.url().includes("/calls/live") && asked.push(new URL(request.url()).search))
    await go()
    for (let look = 0; look < 2; look++) {
      await page.getByText("******3210").waitFor()
      const said = page.getByRole("list", { name: "What was said" })
      await said.getByText("Hello from before.").waitFor()
      await said.getByText("Greetings").waitFor()
      await page.getByText("Talking", { exact: true }).waitFor()
      if (look === 0) await page.reload()
    }
    assert.deepStrictEqual(new Set(asked), new Set(["?ongoing=true"]))
    await page.context().close()
  })

  it("open to what the model was sent for each answer of a talk", async () => {
    const { go, page } = await open(addressOf(recording, "talk"))
    await page.route(/\/agents\/[^/]+\/talk$/, (route) =>
      route.fulfill({
        json: {
          talk_id: "talk-1",
          app_id: "collections",
          app_version: 1,
          status: "listening",
          events: [{ type: "said", text: "This is Riya.", language_name: "English" }],
          agent_variables: {},
          output_agent_variables: {},
          step: null,
          model_inputs: [input],
          tokens: { input: 12, output: 5 },
          took: 40,
          outcome: null
        }
      }))
    await go()
    await page.getByRole("button", { name: "Begin" }).click()
    const log = page.getByRole("log")
    await log.getByText("This is Riya.").waitFor()
    await log.getByText("What the model was sent").click()
    await log.getByText("Who is this?").waitFor()
    await log.getByText("Instructions").click()
    await log.getByText("You collect payments.").waitFor()
    await page.context().close()
  })
})
