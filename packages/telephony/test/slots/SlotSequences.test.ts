import { assert, describe, it } from "@effect/vitest"
import { propertyRuns } from "@trunkline/kernel/testing"
import { FastCheck } from "effect"
import { SlotAllocator } from "../../src/lines/SlotAllocator.js"
import { localLimits, type Waiter } from "../../src/lines/SlotStates.js"

/** A step: a claimant requests a slot on a connection, leaves the queue, takes its reservation, or releases a slot. */
const step = FastCheck.record({
  what: FastCheck.constantFrom("wait", "wait", "release", "release", "leave", "try", "expire", "inbound"),
  workspace: FastCheck.nat(1),
  claimant: FastCheck.nat(3),
  line: FastCheck.nat(1),
  pick: FastCheck.nat(50)
})

const [LIMIT, RESERVE, CHANNELS] = [5, 1, 6]

describe("any sequence of slot operations", () => {
  it("respects the limits, shares slots evenly, lets no claimant wait while its slot is free and leaves no state", () => {
    FastCheck.assert(
      FastCheck.property(FastCheck.array(step, { maxLength: 120, size: "max" }), (steps) => {
        const allocator = new SlotAllocator(localLimits(() => ({ limit: LIMIT, inboundReserve: RESERVE })))
        const held: Array<{ claimant: string; workspace: string; line: string; release: () => void }> = []
        const queue: Array<{ claimant: string; workspace: string; line: string; leave: () => void }> = []
        const lineOf = (name: string) => allocator.connection(name, name === "line 0" ? CHANNELS : Infinity)

        const grant = (workspace: string, claimant: string, line: string) => {
          const [owner, connection] = [allocator.claimant(workspace, claimant), lineOf(line)]
          held.push({ claimant, workspace, line, release: () => allocator.release(owner, connection) })
        }
        const wait = (workspace: string, claimant: string, line: string, takesAtOnce: Waiter["takesAtOnce"]) => {
          const [owner, connection] = [allocator.claimant(workspace, claimant), lineOf(line)]
          const entry = {
            claimant,
            workspace,
            line,
            leave: allocator.wait(owner, connection, {
              takesAtOnce,
              notify: () => {
                queue.splice(queue.indexOf(entry), 1)
                if (takesAtOnce) grant(workspace, claimant, line)
              }
            })
          }
          queue.push(entry)
        }

        for (const { claimant: claimantIndex, line: lineIndex, pick, what, workspace: workspaceIndex } of steps) {
          const [workspace, claimant, line] = [`w${workspaceIndex}`, `c${claimantIndex}`, `line ${lineIndex}`]
          if (what === "release") {
            const [one] = held.splice(pick % Math.max(1, held.length), 1)
            one?.release()
          } else if (what === "leave") {
            const [one] = queue.splice(pick % Math.max(1, queue.length), 1)
            one?.leave()
          } else if (what === "expire") {
            for (const reservation of allocator.reservations) allocator.expire(reservation)
          } else if (what === "inbound") {
            if (allocator.tryTake(allocator.claimant(workspace, "inbound"), lineOf(line))) {
              grant(workspace, "inbound", line)
            }
          } else if (allocator.tryTake(allocator.claimant(workspace, claimant), lineOf(line))) {
            grant(workspace, claimant, line)
          } else if (what === "wait") {
            wait(workspace, claimant, line, pick % 2 === 0)
          }

          const count = (of: Partial<Record<"claimant" | "workspace" | "line", string>>) =>
            held.filter((one) =>
              (of.claimant ?? one.claimant) === one.claimant && (of.workspace ?? one.workspace) === one.workspace &&
              (of.line ?? one.line) === one.line
            ).length
          for (const name of ["w0", "w1"]) {
            assert.strictEqual(allocator.inUse(name), count({ workspace: name }))
            const ringing = count({ workspace: name, claimant: "inbound" })
            assert.isAtMost(count({ workspace: name }) - ringing, LIMIT - Math.max(RESERVE, ringing))
          }
          assert.strictEqual(allocator.channelsInUse("line 0"), count({ line: "line 0" }))
          assert.isAtMost(count({ line: "line 0" }), CHANNELS)
          for (const one of queue) {
            assert.isNotNull(
              allocator.exhaustedBy(allocator.claimant(one.workspace, one.claimant), lineOf(one.line)),
              "a claimant waits although its slot is free"
            )
          }
        }
        for (const { leave } of queue.splice(0)) leave()
        for (const reservation of allocator.reservations) allocator.expire(reservation)
        for (const { release } of held.splice(0)) release()
        assert.strictEqual(allocator.size, 0)
      }),
      { numRuns: propertyRuns(500) }
    )
  })

  it("gives a released slot to the claimant with the fewest, ties to the longest waiting", () => {
    FastCheck.assert(
      FastCheck.property(FastCheck.array(FastCheck.nat(4), { minLength: 30, maxLength: 60 }), (requests) => {
        const allocator = new SlotAllocator(localLimits(() => ({ limit: 8, inboundReserve: 0 })))
        const held = new Map<string, Array<() => void>>()
        const queue: Array<string> = []
        const served: Array<string> = []
        const grant = (name: string) => {
          const [claimant, line] = [allocator.claimant("w", name), allocator.connection("line", Infinity)]
          held.set(name, [...(held.get(name) ?? []), () => allocator.release(claimant, line)])
        }
        for (const index of requests) {
          const name = `c${index}`
          const [claimant, line] = [allocator.claimant("w", name), allocator.connection("line", Infinity)]
          if (allocator.tryTake(claimant, line)) grant(name)
          else {
            queue.push(name)
            allocator.wait(allocator.claimant("w", name), allocator.connection("line", Infinity), {
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
        assert.lengthOf(served, requests.length - 8)
      }),
      { numRuns: propertyRuns(300) }
    )
  })
})
