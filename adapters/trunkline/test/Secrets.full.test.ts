import { assert, describe, it } from "@effect/vitest"
import { Effect, Layer, Redacted } from "effect"
import { copyFileSync, existsSync, mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { layerPostgres } from "trunkline/effect"
import { emptyDatabase, onPostgres } from "../../../test/setup/Postgres.js"
import { fingerprintOf, OtherSecret, secretsFrom } from "../src/assembly/Secrets.js"
import { line } from "./Fixtures.js"

const secret = "0123456789abcdef0123456789abcdef"
const otherSecret = "another secret of 32 characters!"

const folder = Effect.acquireRelease(
  Effect.sync(() => mkdtempSync(join(tmpdir(), "trunkline-"))),
  (path) => Effect.sync(() => rmSync(path, { recursive: true, force: true }))
)

const files = ["contact-salt", "seal-key"]

describe("the keys of a secret", () => {
  const valuesOf = (text: string) => {
    const secrets = secretsFrom(Redacted.make(text))
    return [Redacted.value(secrets.contactSalt), Redacted.value(secrets.sealKey), fingerprintOf(secrets)]
  }

  it("are the same on every machine, and differ by purpose and by secret", () => {
    const all = [valuesOf(secret), valuesOf(otherSecret)].flat()
    assert.deepStrictEqual(valuesOf(secret), all.slice(0, 3))
    assert.strictEqual(new Set(all).size, 6)
    assert.isTrue(all.every((key) => /^[0-9a-f]{64}$/.test(key)))
  })

  it("are those of RFC 5869, as another implementation computes them", () => {
    assert.deepStrictEqual(valuesOf(secret).map((key) => key.slice(0, 16)), [
      "81034288f94f2a91",
      "e82bacd6fd01280b",
      "932922904dd9d5a4"
    ])
  })
})

onPostgres(() => {
  describe("an engine on PostgreSQL", () => {
    const start = (database: string, data: string, given?: string) =>
      Effect.scoped(Layer.build(layerPostgres({
        database,
        data,
        agents: [],
        connections: [line],
        ...(given !== undefined && { secret: Redacted.make(given) })
      })))

    it.scopedLive("starts with the secret of its database on any machine, and is refused with another", () =>
      Effect.gen(function*() {
        const url = yield* emptyDatabase
        const [first, second] = [yield* folder, yield* folder]
        yield* start(url, first, secret)
        yield* start(url, second, secret)
        const refused = yield* Effect.flip(start(url, first, otherSecret))
        assert.strictEqual(
          refused.message,
          `the database ${new URL(url).host}${new URL(url).pathname} was set up with `
            + "another secret: give the one of its first start"
        )
        assert.include((yield* Effect.flip(start(url, second))).message, "TRUNKLINE_SECRET")
        assert.isFalse(files.some((name) => existsSync(join(first, name))))
      }))

    it.scopedLive("without a secret needs the keys of the folder in which its database was set up", () =>
      Effect.gen(function*() {
        const url = yield* emptyDatabase
        const [first, second] = [yield* folder, yield* folder]
        yield* start(url, first)
        yield* start(url, first)
        const refused = yield* Effect.flip(start(url, second))
        assert.include(refused.message, `another secret than the files of ${second}`)
        assert.notInclude(refused.message, "\n")
        for (const name of files) copyFileSync(join(first, name), join(second, name))
        yield* start(url, second)
        assert.instanceOf(yield* Effect.flip(start(url, first, secret)), OtherSecret)
      }))
  })
})
