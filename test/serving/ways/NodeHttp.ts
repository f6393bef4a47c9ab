import { serve } from "@trunkline/node-http"
import { loadEngine } from "../engines/index.js"
import type { Way } from "../Ways.js"

/** `serve` of `@trunkline/node-http`. */
export const nodeHttp: Way = {
  name: "node-http",
  prefix: "",
  webSockets: true,
  start: async (engine = "standard") => serve(await loadEngine(engine), { port: 0 })
}
