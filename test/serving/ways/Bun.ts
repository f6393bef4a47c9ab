import { fileURLToPath } from "node:url"
import { startBun } from "../../../adapters/bun/test/BunServer.js"
import { engineFile } from "../engines/index.js"
import type { Way } from "../Ways.js"

/** `serve` of `@trunkline/bun`, in a Bun process. */
export const bun: Way = {
  name: "bun",
  prefix: "",
  webSockets: true,
  start: (engine = "standard") => startBun({ engine: fileURLToPath(engineFile(engine)) })
}
