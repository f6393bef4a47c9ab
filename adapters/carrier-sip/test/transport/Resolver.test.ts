import { assert, describe, it } from "@effect/vitest"
import type { SipTarget } from "@trunkline/sip"
import { Effect, TestClock } from "effect"
import { inServiceOrder, makeResolver, type NameServer, type SrvRecord } from "../../src/transport/Resolver.js"

const names = (
  addresses: Readonly<Record<string, ReadonlyArray<string>>>,
  services: Readonly<Record<string, ReadonlyArray<SrvRecord>>> = {}
) => {
  const queries: Array<string> = []
  const find = <A>(records: Readonly<Record<string, A>>, name: string): Promise<A> => {
    queries.push(name)
    const addresses = records[name]
    return addresses === undefined ? Promise.reject(new Error("ENOTFOUND")) : Promise.resolve(addresses)
  }
  const server: NameServer = { addresses: (name) => find(addresses, name), services: (name) => find(services, name) }
  return { server, queries }
}

const addressesFor = (server: NameServer, target: SipTarget) =>
  Effect.map(
    makeResolver({ names: server, random: () => 0 })(target),
    (addresses) => addresses.map(({ host, port, protocol }) => `${protocol} ${host} ${port}`)
  )

const record = (name: string, priority: number, weight: number, port = 5060): SrvRecord => ({
  name,
  priority,
  weight,
  port
})

describe("the resolver", () => {
  it.effect("asks for addresses of a name with a port, and does not for literals", () =>
    Effect.gen(function*() {
      const { queries, server } = names({ "trunk.example": ["192.0.2.1", "2001:db8::1"] })
      assert.deepStrictEqual(yield* addressesFor(server, { host: "trunk.example", port: 5080, protocol: "tcp" }), [
        "tcp 192.0.2.1 5080",
        "tcp 2001:db8::1 5080"
      ])
      assert.deepStrictEqual(yield* addressesFor(server, { host: "::1" }), ["udp ::1 5060"])
      assert.deepStrictEqual(queries, ["trunk.example"])
    }))

  it.effect("asks for services of a name without a port, and takes them by priority", () =>
    Effect.gen(function*() {
      const { server } = names(
        { "a.example": ["192.0.2.1"], "b.example": ["192.0.2.2", "192.0.2.3"] },
        { "_sip._udp.trunk.example": [record("b.example", 20, 0), record("a.example", 10, 0, 5070)] }
      )
      assert.deepStrictEqual(yield* addressesFor(server, { host: "trunk.example" }), [
        "udp 192.0.2.1 5070",
        "udp 192.0.2.2 5060",
        "udp 192.0.2.3 5060"
      ])
    }))

  it.effect("turns to TCP, and then to the addresses of the name, where there is no service", () =>
    Effect.gen(function*() {
      const service = { "_sip._tcp.trunk.example": [record("a.example", 1, 1)] }
      const { server } = names({ "a.example": ["192.0.2.1"], "trunk.example": ["192.0.2.9"] }, service)
      assert.deepStrictEqual(yield* addressesFor(server, { host: "trunk.example" }), ["tcp 192.0.2.1 5060"])
      assert.deepStrictEqual(yield* addressesFor(server, { host: "trunk.example", protocol: "udp" }), [
        "udp 192.0.2.9 5060"
      ])
    }))

  it.effect("fails for a name without addresses, without naming it", () =>
    Effect.gen(function*() {
      const failed = yield* Effect.flip(addressesFor(names({}).server, { host: "trunk.example" }))
      assert.notInclude(failed.reason, "example")
    }))

  it.effect("asks again after half a minute, and sooner after a failure", () =>
    Effect.gen(function*() {
      const { queries, server } = names({ known: ["192.0.2.1"] })
      const resolve = makeResolver({ names: server })
      const ask = Effect.zipRight(resolve({ host: "known", port: 1 }), Effect.flip(resolve({ host: "none", port: 1 })))
      yield* ask
      yield* ask
      assert.deepStrictEqual(queries.splice(0), ["known", "none"])
      yield* TestClock.adjust("5 seconds")
      yield* ask
      assert.deepStrictEqual(queries.splice(0), ["none"])
      yield* TestClock.adjust("30 seconds")
      yield* ask
      assert.deepStrictEqual(queries, ["known", "none"])
    }))

  it("draws services of a priority by their weights", () => {
    const records = [record("light", 1, 1), record("heavy", 1, 3), record("last", 2, 100)]
    const order = (random: number) => inServiceOrder(records, () => random).map(({ name }) => name)
    assert.deepStrictEqual(order(0), ["light", "heavy", "last"])
    assert.deepStrictEqual(order(0.3), ["heavy", "light", "last"])
    assert.deepStrictEqual(order(0.99), ["heavy", "light", "last"])
    assert.deepStrictEqual(inServiceOrder([record("only", 1, 0)], () => 0.5).map(({ name }) => name), ["only"])
  })
})
