import { assert, describe, it } from "@effect/vitest"
import { OrgId, Scope, scopeKey, WorkspaceId } from "@trunkline/kernel"
import { hasRoom, makeQuota, type Receiver, RunningTries } from "@trunkline/webhooks"
import { FastCheck } from "effect"

const workspace = (name: string) => new Scope({ org_id: OrgId.make("acme"), workspace_id: WorkspaceId.make(name) })
const [main, other, third] = [workspace("a"), workspace("b"), workspace("c")]
const at = (scope: Scope, endpoint: string): Receiver => ({ scope, endpoint })

const receiver = FastCheck.record({
  scope: FastCheck.constantFrom(main, other, third),
  endpoint: FastCheck.constantFrom("1", "2", "3")
})
const limits = FastCheck.record({
  total: FastCheck.integer({ min: 1, max: 20 }),
  perEndpoint: FastCheck.integer({ min: 1, max: 6 })
})

describe("RunningTries", () => {
  it("limits each endpoint independently of others", () => {
    const running = new RunningTries({ total: 256, perEndpoint: 10 })
    for (let count = 0; count < 10; count++) running.started(at(main, "1"))
    const plan = running.plan()
    assert.deepStrictEqual([plan.limit, plan.full], [246, 1])
    assert.isFalse(hasRoom(plan, at(main, "1")))
    assert.deepStrictEqual([plan.freeSlotsFor(at(main, "2")), plan.freeSlotsFor(at(other, "1"))], [10, 10])
  })

  it("reserves a quarter of the total for workspaces without running tries", () => {
    const running = new RunningTries({ total: 16, perEndpoint: 16 })
    for (let count = 0; count < 12; count++) running.started(at(main, String(count)))
    const plan = running.plan()
    assert.deepStrictEqual(plan.exceptScopes, [main])
    assert.isFalse(hasRoom(plan, at(main, "new")))
    assert.isTrue(hasRoom(plan, at(other, "1")))
    assert.strictEqual(plan.limit, 4)
  })

  it("reserves it during a claim whose plan was made when nothing ran", () => {
    const running = new RunningTries({ total: 4, perEndpoint: 2 })
    const plan = running.plan()
    assert.strictEqual(plan.freeSlotsIn(third), 3)
    for (const endpoint of ["1", "2", "3"]) running.started(at(third, endpoint))
    assert.strictEqual(plan.freeSlotsIn(third), 0)
  })

  it("counts a try against its endpoint until the response, and against the total until it is stored", () => {
    const running = new RunningTries({ total: 2, perEndpoint: 1 })
    running.started(at(main, "1"))
    running.ended(at(main, "1"))
    assert.deepStrictEqual([running.plan().limit, running.plan().freeSlotsFor(at(main, "1"))], [1, 1])
    running.recorded(1)
    assert.strictEqual(running.plan().limit, 2)
  })

  it.prop(
    "never exceeds a limit, and always serves a receiver with free slots",
    [
      limits,
      FastCheck.array(FastCheck.record({ waiting: FastCheck.array(receiver, { maxLength: 12 }), ends: receiver }))
    ],
    ([limits, steps]) => {
      const running = new RunningTries(limits)
      const now: Array<Receiver> = []
      const countOf = (is: (other: Receiver) => boolean) => now.filter(is).length
      for (const { ends, waiting } of steps) {
        const plan = running.plan()
        const quota = makeQuota(plan)
        let claimed = 0
        for (const one of waiting) {
          const room = quota.of(one)
          if (room === 0) continue
          quota.took(one, 1)
          running.started(one)
          now.push(one)
          claimed++
        }
        if (plan.limit > 0 && waiting.some((one) => hasRoom(plan, one))) assert.isAbove(claimed, 0)
        assert.isAtMost(now.length, limits.total)
        for (const one of now) {
          const endpoint = countOf((other) => other.endpoint === one.endpoint && other.scope === one.scope)
          assert.isAtMost(endpoint, limits.perEndpoint)
          const workspace = countOf((other) => scopeKey(other.scope) === scopeKey(one.scope))
          assert.isAtMost(workspace, Math.ceil(limits.total * 0.75))
        }
        const index = now.findIndex((one) => one.endpoint === ends.endpoint && one.scope === ends.scope)
        const [ended] = index < 0 ? [] : now.splice(index, 1)
        if (ended !== undefined) {
          running.ended(ended)
          running.recorded(1)
        }
      }
    }
  )
})
