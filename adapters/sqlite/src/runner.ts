import { isMainThread } from "node:worker_threads"
import { serve, watch } from "./runners/child/Serve.js"

const [, , settings = "null"] = process.argv

if (isMainThread) serve(JSON.parse(settings))
else watch()
