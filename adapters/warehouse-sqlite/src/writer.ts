import { FactFiles } from "./child/FactFiles.js"
import { WriteLanes } from "./child/WriteLanes.js"
import { isWriteRequest, isWriterSettings } from "./Messages.js"

/** How long the writer waits for more to write before it tidies up, in milliseconds. */
const restMillis = 1_000

/** The pause between tries where another process has locked a file, in milliseconds. */
const retryMillis = 10

const settings: unknown = JSON.parse(process.argv[2] ?? "null")

if (process.send !== undefined && isWriterSettings(settings)) {
  // What is written here is people's data: nobody else's to read.
  process.umask(0o077)
  const files = new FactFiles(settings)
  let rest: NodeJS.Timeout | undefined

  const tidyLater = () => {
    clearTimeout(rest)
    rest = setTimeout(() => {
      if (!files.tidy()) tidyLater()
    }, restMillis)
  }

  const lanes = new WriteLanes({
    work: ({ file, scope, task }) => files.do({ file, scope }, task),
    answer: (answer) => void process.send?.(answer),
    now: () => performance.now()
  })
  let isRetrying = false

  const retryLater = () => {
    isRetrying = true
    setTimeout(() => {
      isRetrying = false
      if (lanes.retry()) retryLater()
    }, retryMillis)
  }

  process.on("message", (message) => {
    if (!isWriteRequest(message)) return
    if (lanes.ask(message) && !isRetrying) retryLater()
    tidyLater()
  })
  process.on("disconnect", () => {
    files.tidy()
    files.close()
    process.exit()
  })
}
