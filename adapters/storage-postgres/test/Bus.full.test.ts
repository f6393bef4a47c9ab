import { assert, it } from "@effect/vitest"
import { Bus } from "@trunkline/kernel"
import { busLaws } from "@trunkline/kernel/testing"
import { BusPostgres } from "@trunkline/storage-postgres"
import { Context, Effect, Layer } from "effect"
import { emptyDatabase, onPostgres, onServer } from "../../../test/setup/Postgres.js"

/** A database whose connections can be ended, and refused. */
const busOn = Effect.map(emptyDatabase, (url) => {
  const name = new URL(url).pathname.slice(1)
  const allow = (allowed: boolean) => onServer(`alter database ${name} allow_connections ${allowed}`)
  return {
    join: Effect.map(Layer.build(BusPostgres.layer({ url })), Context.get(Bus)),
    outage: {
      begin: Effect.promise(async () => {
        await allow(false)
        await onServer(`select pg_terminate_backend(pid) from pg_stat_activity where datname = '${name}'`)
      }),
      end: Effect.promise(() => allow(true))
    }
  }
})

onPostgres(() => {
  busLaws("PostgreSQL", busOn)

  it.scopedLive("keeps the hints of two databases apart", () =>
    Effect.gen(function*() {
      const [here, there] = [yield* busOn, yield* busOn]
      const [first, second, stranger] = [yield* here.join, yield* here.join, yield* there.join]
      const take = yield* second.subscribe("news")
      yield* stranger.publish("news", "elsewhere")
      yield* first.publish("news", "here")
      assert.strictEqual(yield* take, "here")
    }))

  it.scopedLive("starts without a server", () =>
    Effect.gen(function*() {
      const bus = Context.get(yield* Layer.build(BusPostgres.layer({ url: "postgres://127.0.0.1:1/none" })), Bus)
      yield* bus.publish("news")
    }))
})
