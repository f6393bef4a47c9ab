import { isMainThread } from "node:worker_threads"
import { serve } from "./child/Serve.js"
import { watch } from "./child/Watch.js"

const [, entry = "", settings = "null"] = process.argv

if (isMainThread) serve(entry, JSON.parse(settings))
else watch()
