import { assert, describe, it } from "@effect/vitest"
import { propertyRuns } from "@trunkline/kernel/testing"
import { FastCheck } from "effect"
import { SlotAllocator, type Waiter } from "../../src/lines/SlotAllocator.js"

/** A step: a claimant requests a slot on a connection, leaves the queue, takes its reservation, or releases a slot. */
const step = FastCheck.record({
  what: FastCheck.constantFrom("wait", "wait", "release", "release", "leave", "try", "lapse", "inbound"),
  workspace: FastCheck.nat(1),
  claimant: FastCheck.nat(3),
  line: FastCheck.nat(1),
  pick: FastCheck.nat(50)
})

const [LIMIT, RESERVE, CHANNELS] = [5, 1, 6]

describe("any sequence of slot operations", () => {
  it("respects the limits, shares slots evenly, never waits while a slot is free and leaves no state", () => {
    FastCheck.assert(
      FastCheck.property(FastCheck.array(step, { maxLength: 120, size: "max" }), (steps) => {
        const book = new SlotAllocator(LIMIT, RESERVE)
        const held: Array<{ taker: string; workspace: string; line: string; release: () => void }> = []
        const queue: Array<{ taker: string; workspace: string; line: string; leave: () => void }> = []
        const lineOf = (name: string) => book.connection(name, name === "line 0" ? CHANNELS : Infinity)

        const grant = (workspace: string, taker: string, line: string) => {
          const [theTaker, theLine] = [book.claimant(workspace, taker), lineOf(line)]
          held.push({ taker, workspace, line, release: () => book.release(theTaker, theLine) })
        }
        const wait = (workspace: string, taker: string, line: string, handed: Waiter["takesAtOnce"]) => {
          const [theTaker, theLine] = [book.claimant(workspace, taker), lineOf(line)]
          const entry = {
            taker,
            workspace,
            line,
            leave: book.wait(theTaker, theLine, {
              takesAtOnce: handed,
              notify: () => {
                queue.splice(queue.indexOf(entry), 1)
                if (handed) grant(workspace, taker, line)
              }
            })
          }
          queue.push(entry)
        }

        for (const { claimant, line: lineIndex, pick, what, workspace: workspaceIndex } of steps) {
          const [workspace, taker, line] = [`w${workspaceIndex}`, `c${claimant}`, `line ${lineIndex}`]
          if (what === "release") {
            const [one] = held.splice(pick % Math.max(1, held.length), 1)
            one?.release()
          } else if (what === "leave") {
            const [one] = queue.splice(pick % Math.max(1, queue.length), 1)
            one?.leave()
          } else if (what === "lapse") {
            for (const turn of book.reservations) book.expire(turn)
          } else if (what === "inbound") {
            if (book.tryTake(book.claimant(workspace, "inbound"), lineOf(line))) grant(workspace, "inbound", line)
          } else if (book.tryTake(book.claimant(workspace, taker), lineOf(line))) {
            grant(workspace, taker, line)
          } else if (what === "wait") {
            wait(workspace, taker, line, pick % 2 === 0)
          }

          const count = (of: Partial<Record<"taker" | "workspace" | "line", string>>) =>
            held.filter((one) =>
              (of.taker ?? one.taker) === one.taker && (of.workspace ?? one.workspace) === one.workspace &&
              (of.line ?? one.line) === one.line
            ).length
          for (const name of ["w0", "w1"]) {
            assert.strictEqual(book.inUse(name), count({ workspace: name }))
            const ringing = count({ workspace: name, taker: "inbound" })
            assert.isAtMost(count({ workspace: name }) - ringing, LIMIT - Math.max(RESERVE, ringing))
          }
          assert.strictEqual(book.channelsInUse("line 0"), count({ line: "line 0" }))
          assert.isAtMost(count({ line: "line 0" }), CHANNELS)
          for (const one of queue) {
            assert.isNotNull(
              book.exhaustedBy(book.claimant(one.workspace, one.taker), lineOf(one.line)),
              "waits for a free line"
            )
          }
        }
        for (const { leave } of queue.splice(0)) leave()
        for (const turn of book.reservations) book.expire(turn)
        for (const { release } of held.splice(0)) release()
        assert.strictEqual(book.size, 0)
      }),
      { numRuns: propertyRuns(500) }
    )
  })

  it("gives a released slot to the claimant with the fewest, ties to the longest waiting", () => {
    FastCheck.assert(
      FastCheck.property(FastCheck.array(FastCheck.nat(4), { minLength: 30, maxLength: 60 }), (wanted) => {
        const book = new SlotAllocator(8, 0)
        const held = new Map<string, Array<() => void>>()
        const queue: Array<string> = []
        const served: Array<string> = []
        const grant = (name: string) => {
          const [taker, line] = [book.claimant("w", name), book.connection("line", Infinity)]
          held.set(name, [...(held.get(name) ?? []), () => book.release(taker, line)])
        }
        for (const index of wanted) {
          const name = `c${index}`
          const [taker, line] = [book.claimant("w", name), book.connection("line", Infinity)]
          if (book.tryTake(taker, line)) grant(name)
          else {
            queue.push(name)
            book.wait(book.claimant("w", name), book.connection("line", Infinity), {
              takesAtOnce: true,
              notify: () => {
                served.push(name)
                queue.splice(queue.indexOf(name), 1)
                grant(name)
              }
            })
          }
        }
        while (queue.length > 0) {
          const [most] = [...held.entries()].sort(([, a], [, b]) => b.length - a.length)
          const release = most?.[1].pop()
          const counts = new Map([...held.entries()].map(([name, lines]) => [name, lines.length]))
          const fewest = Math.min(...queue.map((name) => counts.get(name) ?? 0))
          const next = queue.find((name) => (counts.get(name) ?? 0) === fewest)
          release?.()
          assert.strictEqual(served.at(-1), next)
        }
        assert.lengthOf(served, wanted.length - 8)
      }),
      { numRuns: propertyRuns(300) }
    )
  })
})
