/** Events of the process about what was thrown where nobody awaits it. */
const thrownEvents = ["uncaughtException", "unhandledRejection"] as const

/**
 * Runs code of a suite, and rejects with what it would otherwise do to the whole command: it takes longer than `seconds` of real
 * time, waits for what cannot come any more, leaves the process, or throws where nobody awaits it. The code itself may go on.
 */
export const guarded = async <A>(seconds: number, run: () => Promise<A>): Promise<A> => {
  let fail: (error: unknown) => void = () => undefined
  const failure = new Promise<never>((_, reject) => {
    fail = reject
  })
  const onError = (error: unknown) => fail(error)
  const idle = () => fail(new Error("It never ends: it waits for a promise that nothing is left to resolve"))
  const timer = setTimeout(() => {
    fail(new Error(`It took longer than ${seconds} s: give its suite a longer timeout, in seconds, if it needs it`))
  }, seconds * 1_000)
  // A suite that waits for nothing is told at once.
  timer.unref()
  const { exit } = process
  process.exit = (code) => {
    const error = new Error(`It called process.exit(${code ?? ""}), which would end all tests: throw an error instead`)
    fail(error)
    throw error
  }
  for (const event of thrownEvents) process.on(event, onError)
  process.on("beforeExit", idle)
  try {
    const result = await Promise.race([run(), failure])
    // Promises that were rejected and that nobody awaits are told after the present step of the event loop.
    await Promise.race([new Promise((resolve) => setImmediate(resolve)), failure])
    return result
  } finally {
    clearTimeout(timer)
    process.exit = exit
    for (const event of thrownEvents) process.off(event, onError)
    process.off("beforeExit", idle)
  }
}
