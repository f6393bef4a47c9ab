import { assert, describe, it } from "@effect/vitest"
import { readlinkSync } from "node:fs"
import { getPriority } from "node:os"
import { raiseThreadPriority } from "../../src/media/ThreadPriority.js"

/** The number of this thread, and null where the system does not tell. */
const thisThread = (): number | null => {
  try {
    return Number(readlinkSync("/proc/thread-self").split("/").at(-1))
  } catch {
    return null
  }
}

describe("the priority of the media thread", () => {
  it("is raised where that is allowed, and elsewhere stays as it is", () => {
    const thread = thisThread()
    const before = thread === null ? 0 : getPriority(thread)
    raiseThreadPriority()
    if (thread === null) return
    assert.include([before, -10], getPriority(thread))
  })
})
