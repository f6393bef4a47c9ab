import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import type { WordsFormat } from "../src/dialects/StreamFormat.js"
import { makeRelayLeg } from "../src/relay/RelayLeg.js"
import { languageChange } from "../src/relay/RelayMessages.js"

const format: WordsFormat = {
  _tag: "Words",
  language: "en-IN",
  reconnectMillis: 15_000,
  tellsVoice: true,
  guesses: false,
  hints: (phrases) => `hints ${phrases.join()}`,
  textToken: (token) => token
}

/** A leg, and what it posts. */
const legOf = (format: WordsFormat) => {
  const posted: Array<string> = []
  const relay = makeRelayLeg({
    format,
    deadlineMillis: null,
    onEnd: () => Effect.void,
    onLeave: Effect.void,
    later: () => () => {}
  })
  relay.use({
    post: (frame) => void posted.push(String(frame)),
    waitingBytes: () => 0,
    hear: () => {},
    close: () => {}
  })
  const expect = (...phrases: ReadonlyArray<string>) => Effect.runSync(relay.leg.expect?.(phrases) ?? Effect.void)
  return { ...relay, posted, expect }
}

const error = JSON.stringify({ type: "error", description: "Invalid message received" })

describe("hints during a call", () => {
  it("are given while the provider takes them, and taken back once nothing particular is expected", () => {
    const { expect, posted, receive } = legOf(format)
    expect()
    expect("yes", "no")
    receive(JSON.stringify({ type: "configUpdated" }))
    receive(error)
    expect()
    expect()
    assert.deepStrictEqual(posted, ["hints yes,no", "hints "])
  })

  it("are given no more in a call whose provider has refused them", () => {
    const { expect, posted, receive } = legOf(format)
    expect("yes")
    receive(error)
    expect("no")
    assert.deepStrictEqual(posted, ["hints yes"])
  })

  it("are given again in another language, since they belong to one", () => {
    const { expect, leg, posted } = legOf(format)
    const say = (language_name: string) => Effect.runFork(leg.say({ text: "Yes?", language_name, interruptible: true }))
    say("Hindi")
    expect("yes")
    say("English")
    say("English")
    expect()
    say("Hindi")
    assert.deepStrictEqual(posted.filter((message) => message.includes("hints") || message.includes("language")), [
      languageChange("hi-IN"),
      "hints yes",
      languageChange("en-IN"),
      "hints yes",
      "hints ",
      languageChange("hi-IN")
    ])
  })

  it("are not for providers that take none", () => {
    const { hints: _, ...without } = format
    assert.isUndefined(legOf(without).leg.expect)
  })
})
