import { BrowserLines } from "@trunkline/telephony"
import { Effect, Layer } from "effect"

/** The protocol of calls from browsers, which is loaded with the first of them. */
export const browserLines = Layer.sync(BrowserLines, () => {
  let loading: Promise<BrowserLines.Service> | undefined
  const load = () =>
    loading ??= import("@trunkline/carrier-media-websocket").then((carrier) => carrier.makeBrowserLines())
  const service: BrowserLines.Service = {
    open: (...call) => Effect.flatMap(Effect.promise(load), ({ open }) => open(...call)),
    refuse: (...call) => Effect.flatMap(Effect.promise(load), ({ refuse }) => refuse(...call))
  }
  return service
})
