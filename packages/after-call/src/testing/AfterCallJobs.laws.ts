import { assert, layer } from "@effect/vitest"
import { AttemptId, OrgId, Scope, Transactions, WorkspaceId } from "@trunkline/kernel"
import { Effect, type Layer, Option } from "effect"
import { type AfterCallJob, noAsks } from "../jobs/AfterCallJob.js"
import { AfterCallJobs } from "../jobs/AfterCallJobs.js"

const scopeNamed = (name: string) =>
  new Scope({ org_id: OrgId.make("after-call"), workspace_id: WorkspaceId.make(name) })

const jobOf = (number: number, scope: Scope, change: Partial<AfterCallJob> = {}): AfterCallJob => ({
  attempt_id: AttemptId.make(`0192f000-0000-7000-8000-${String(number).padStart(12, "0")}`),
  scope,
  created_at: 1,
  due_at: number,
  runs: 0,
  asked: noAsks,
  ...change
})

/** Removes what is there, so that each law begins with an empty store. */
const emptyStore = Effect.gen(function*() {
  const jobs = yield* AfterCallJobs
  for (;;) {
    const some = yield* jobs.claim({ now: Number.MAX_SAFE_INTEGER, limit: 100, leaseMillis: 0, exceptScopes: [] })
    if (some.length === 0) return jobs
    yield* Effect.forEach(some, jobs.remove, { discard: true })
  }
})

/** Laws of `AfterCallJobs`. */
export const afterCallJobsLaws = <E>(name: string, live: Layer.Layer<AfterCallJobs | Transactions, E>) =>
  layer(live)(`AfterCallJobs laws: ${name}`, (it) => {
    const scope = scopeNamed("main")

    it.effect("claims each due job once until its lease ends, the longest due first", () =>
      Effect.gen(function*() {
        const jobs = yield* emptyStore
        const newJobs = [jobOf(3, scope), jobOf(1, scope), jobOf(2, scope), jobOf(90, scope)]
        yield* jobs.insertMany(newJobs)
        const claim = (now: number, limit = 10) => jobs.claim({ now, limit, leaseMillis: 100, exceptScopes: [] })
        const [first] = yield* claim(50, 1)
        assert.deepStrictEqual(first, jobOf(1, scope, { runs: 1, due_at: 150 }))
        assert.deepStrictEqual(
          (yield* claim(50)).map(({ attempt_id }) => attempt_id),
          [2, 3].map((at) => jobOf(at, scope).attempt_id)
        )
        assert.deepStrictEqual(yield* claim(50), [])
        assert.deepStrictEqual(yield* jobs.next({ exceptScopes: [] }), Option.some(90))
        assert.deepStrictEqual((yield* claim(150)).map(({ runs }) => runs), [1, 2, 2, 2])
        assert.strictEqual(yield* jobs.count, 4)
      }))

    it.effect("keeps the job that an attempt has", () =>
      Effect.gen(function*() {
        const jobs = yield* emptyStore
        yield* jobs.insertMany([jobOf(1, scope)])
        yield* jobs.insertMany([jobOf(1, scope, { due_at: 99 }), jobOf(2, scope)])
        const claims = yield* jobs.claim({ now: 10, limit: 9, leaseMillis: 5, exceptScopes: [] })
        assert.deepStrictEqual(claims.map(({ runs }) => runs), [1, 1])
      }))

    it.effect("leaves workspaces alone that are excepted", () =>
      Effect.gen(function*() {
        const jobs = yield* emptyStore
        const [one, other] = [scopeNamed("one"), scopeNamed("other")]
        yield* jobs.insertMany([jobOf(1, one), jobOf(2, other)])
        const claims = yield* jobs.claim({ now: 9, limit: 9, leaseMillis: 5, exceptScopes: [one] })
        assert.deepStrictEqual(claims.map(({ scope }) => scope), [other])
        assert.deepStrictEqual(yield* jobs.next({ exceptScopes: [other] }), Option.some(1))
        assert.deepStrictEqual(yield* jobs.next({ exceptScopes: [one, other] }), Option.none())
      }))

    it.effect("lets only the latest claim put a job off or remove it", () =>
      Effect.gen(function*() {
        const jobs = yield* emptyStore
        yield* jobs.insertMany([jobOf(1, scope)])
        const claim = (now: number) => jobs.claim({ now, limit: 1, leaseMillis: 10, exceptScopes: [] })
        const [late] = yield* claim(1)
        const [job] = yield* claim(11)
        assert.isDefined(late)
        assert.isDefined(job)
        assert.isFalse(yield* jobs.defer({ ...late, due_at: 5 }))
        assert.isFalse(yield* jobs.remove(late))
        const asked = { tries: 2, input_tokens: 7, output_tokens: null }
        assert.isTrue(yield* jobs.defer({ ...job, due_at: 500, asked }))
        assert.deepStrictEqual(yield* claim(499), [])
        const [again] = yield* claim(500)
        assert.deepStrictEqual(again, { ...job, runs: 3, due_at: 510, asked })
        assert.isTrue(yield* jobs.remove(again ?? job))
        assert.isFalse(yield* jobs.remove(again ?? job))
        assert.strictEqual(yield* jobs.count, 0)
      }))

    it.effect("keeps nothing of a transaction that is rolled back", () =>
      Effect.gen(function*() {
        const jobs = yield* emptyStore
        const { run } = yield* Transactions
        yield* Effect.ignore(run(Effect.zipRight(jobs.insertMany([jobOf(1, scope)]), Effect.fail("no"))))
        assert.strictEqual(yield* jobs.count, 0)
      }))
  })
