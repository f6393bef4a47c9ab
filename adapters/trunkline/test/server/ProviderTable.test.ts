import { voiceProviderNames, voiceProviders } from "@trunkline/speech-openai"
import { isoCode, type LanguageCode } from "@trunkline/spoken-text"
import { streamingProviderNames, streamingProviders } from "@trunkline/transcriber-websocket"
import { readFileSync } from "node:fs"
import { assert, describe, it } from "vitest"
import { priceLine, priceTable } from "../../src/options/speech/Prices.js"

const guide = readFileSync(new URL("../../../../docs/speech.md", import.meta.url), "utf8")

/** Cells of the row of a provider in the table under a heading. */
const rowOf = (heading: string, name: string): ReadonlyArray<string> => {
  const table = guide.slice(guide.indexOf(`| ${heading} |`)).split("\n\n")[0] ?? ""
  const row = table.split("\n").find((line) => line.startsWith(`| \`${name}(`)) ?? ""
  return row.split("|").map((cell) => cell.trim())
}

/** Languages as the guide names them: by their codes, where Odia is `od`. */
const codes = (languages: ReadonlyArray<LanguageCode>): string =>
  languages.length === 12 ? "all twelve" : languages.map((code) => code === "od-IN" ? "od" : isoCode(code)).join(" ")

const priceOf = (key: Parameters<typeof priceLine>[1]): string =>
  priceLine(priceTable(), key).replaceAll(/ \(read on [^)]*\)/g, "").replaceAll("USD ", "")

describe("the table of providers in the guide", () => {
  it.each(voiceProviderNames)("has the languages and the price of the voice %s", (name) => {
    const { languagesOf, model } = voiceProviders[name]
    const [, , , languages = "", price = ""] = rowOf("Voice", name)
    assert.isTrue(languages.startsWith(codes(languagesOf(model ?? ""))), languages)
    const written = priceOf({ service: "voice", provider: name, model: model ?? "" })
    assert.isTrue(price.replaceAll("USD ", "").startsWith(written === "price unknown" ? "unknown" : written), price)
  })

  it.each(streamingProviderNames.filter((name) => name !== "vosk"))(
    "has the languages and the price of the transcriber %s",
    (name) => {
      const { languagesOf, model } = streamingProviders[name]
      const [, , , languages = "", price = ""] = rowOf("Transcriber", name)
      assert.isTrue(languages.startsWith(codes(languagesOf(model ?? ""))), languages)
      const written = priceOf({ service: "transcriber", provider: name, model: model ?? "" })
      assert.isTrue(price.replaceAll("USD ", "").startsWith(written === "price unknown" ? "unknown" : written), price)
    }
  )
})
