import { makeBrowserLines } from "@trunkline/carrier-media-websocket"
import { testEngineWith } from "@trunkline/http-api/testing"
import { BrowserLines } from "@trunkline/telephony"
import { Layer } from "effect"

/** The test engine with calls from browsers, for the pages of one site. */
export const engine = Layer.provide(
  testEngineWith({ browserCalls: { origins: ["https://www.example.com"] } }),
  Layer.sync(BrowserLines, () => makeBrowserLines())
)
