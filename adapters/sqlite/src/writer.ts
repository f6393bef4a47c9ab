import { FactFiles } from "./warehouse/child/FactFiles.js"
import { WriteQueue } from "./warehouse/child/WriteQueue.js"
import { isWriteRequest, isWriterSettings } from "./warehouse/Messages.js"

/** Idle time before maintenance, in milliseconds. */
const idleMillis = 1_000

/** Interval between attempts while another process has locked a file, in milliseconds. */
const retryMillis = 10

const settings: unknown = JSON.parse(process.argv[2] ?? "null")

if (process.send !== undefined && isWriterSettings(settings)) {
  // The files contain personal data, so only this user may read them.
  process.umask(0o077)
  const files = new FactFiles(settings)
  let idleTimer: NodeJS.Timeout | undefined

  const maintainWhenIdle = () => {
    clearTimeout(idleTimer)
    idleTimer = setTimeout(() => {
      if (!files.maintain()) maintainWhenIdle()
    }, idleMillis)
  }

  const queue = new WriteQueue({
    perform: ({ file, scope, task }) => files.perform({ file, scope }, task),
    reply: (reply) => void process.send?.(reply),
    now: () => performance.now()
  })
  let isRetrying = false

  const retryLater = () => {
    isRetrying = true
    setTimeout(() => {
      isRetrying = false
      if (queue.retry()) retryLater()
    }, retryMillis)
  }

  process.on("message", (message) => {
    if (!isWriteRequest(message)) return
    if (queue.submit(message) && !isRetrying) retryLater()
    maintainWhenIdle()
  })
  process.on("disconnect", () => {
    files.maintain()
    files.close()
    process.exit()
  })
}
