import { serve } from "@trunkline/bun"
import { once } from "node:events"

const [engine = "", options = ""] = process.argv.slice(2)
const server = await serve((await import(engine)).engine, JSON.parse(options))
console.log(server.url)
await once(process.stdin.resume(), "end")
await Promise.all([server.close(), server.close()])
