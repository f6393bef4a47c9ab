import { FactFiles } from "./child/FactFiles.js"
import { isWriteRequest, isWriterSettings } from "./Messages.js"

/** How long the writer waits for more to write before it tidies up, in milliseconds. */
const restMillis = 1_000

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

  process.on("message", (message) => {
    if (!isWriteRequest(message)) return
    const { id, task, ...owned } = message
    process.send?.({ id, outcome: files.do(owned, task) })
    tidyLater()
  })
  process.on("disconnect", () => {
    files.tidy()
    files.close()
    process.exit()
  })
}
