import { assert, describe, it } from "@effect/vitest"
import type { CohortStore } from "@trunkline/cohorts"
import { StoragePostgres } from "@trunkline/storage-postgres"
import { Effect, type Layer } from "effect"
import { existsSync, readdirSync } from "node:fs"
import { join } from "node:path"
import { afterAll } from "vitest"
import { bundled } from "../../../../test/programs/Programs.js"
import { emptyDatabase, onPostgres } from "../../../../test/setup/Postgres.js"
import { testEnvironment, testS3 } from "../../../../test/setup/S3.js"
import { campaignsPath, createCampaign } from "../Requests.js"
import { runServer, startServer, temporaryFolder, writeBootstrap } from "../ServerProcess.js"
import { importFile } from "./ImportFile.js"
import { importOutcome, requestUpload } from "./ImportKills.js"
import { peopleIn, storesIn } from "./ImportOutcome.js"

const launch = { command: [await bundled("examples/server/src/main.ts")], environment: testEnvironment }
const folder = temporaryFolder()
afterAll(folder.remove)

/** Large enough for a thread. */
const csv = importFile(9_000)

const bootstrap = writeBootstrap(folder.path, { simulator: { speed: 1 } })

const dataFolder = (name: string) => join(folder.path, name)

/** The outcome of an upload to a server with these arguments, whose stores others may open afterwards. */
const imported = (
  name: string,
  storage: ReadonlyArray<string>,
  stores: Layer.Layer<CohortStore, unknown> = storesIn(dataFolder(name))
) =>
  Effect.promise(async () => {
    const args = ["--no-demo", "--data", dataFolder(name), "--bootstrap", bootstrap, ...storage]
    const server = await startServer(args, launch)
    const campaign = await createCampaign(server, {}, 1)
    const path = `${campaignsPath}/${campaign}/cohorts`
    await requestUpload(server, path, csv)
    const outcome = await importOutcome(server, path, csv)
    assert.strictEqual(await server.stop("SIGTERM"), 0)
    assert.notInclude(server.output(), testEnvironment.AWS_SECRET_ACCESS_KEY)
    return { ...outcome, ...await peopleIn(stores, campaign) }
  })

const expected = await Effect.runPromise(imported("disk", []))

const refusal = async (...args: ReadonlyArray<string>) => {
  const { code, output } = await runServer(
    ["--no-demo", "--data", dataFolder("refused"), "--bootstrap", bootstrap, ...args],
    launch
  )
  assert.strictEqual(code, 1)
  return output.replace(/\(node:[^]*warning was created\)\n/, "")
}

describe("a file that is uploaded to a server", () => {
  it("is imported from the data folder", () => {
    assert.strictEqual(expected.status, "completed")
    assert.isTrue(expected.isWhole)
    assert.isAbove(expected.count, 7_000)
  })

  it.scopedLive("is imported from a folder of one's own choice", () =>
    Effect.gen(function*() {
      const files = dataFolder("own-files")
      assert.deepStrictEqual(yield* imported("own", ["--files", files]), expected)
      assert.lengthOf(readdirSync(files), 3)
      assert.isFalse(existsSync(join(dataFolder("own"), "files")))
    }))

  it.scopedLive("is imported from S3, with the data in SQLite", () =>
    Effect.gen(function*() {
      const { folder: bucket, url } = yield* testS3
      assert.deepStrictEqual(yield* imported("sqlite-s3", ["--files", url]), expected)
      const objects = readdirSync(bucket, { recursive: true, encoding: "utf8" }).filter((name) =>
        name.endsWith("_object")
      )
      assert.lengthOf(objects, 3)
      assert.isFalse(existsSync(join(dataFolder("sqlite-s3"), "files")))
    }))

  onPostgres(() => {
    it.scopedLive("is imported from PostgreSQL", () =>
      Effect.gen(function*() {
        const url = yield* emptyDatabase
        const stores = StoragePostgres.layerShared({ url })
        assert.deepStrictEqual(yield* imported("postgres", ["--database", url], stores), expected)
        assert.isFalse(existsSync(join(dataFolder("postgres"), "files")))
      }))

    it.scopedLive("is imported from S3, with the data in PostgreSQL", () =>
      Effect.gen(function*() {
        const url = yield* emptyDatabase
        const { url: files } = yield* testS3
        const stores = StoragePostgres.layerShared({ url })
        assert.deepStrictEqual(yield* imported("postgres-s3", ["--database", url, "--files", files], stores), expected)
      }))
  })
})

describe("a server whose files have no place", () => {
  it.scopedLive("says so in one line at the start", () =>
    Effect.gen(function*() {
      const { url } = yield* testS3
      const said = (...args: ReadonlyArray<string>) => Effect.promise(() => refusal("--files", ...args))
      assert.match(yield* said("ftp://files"), /^files: must be a folder, s3:\/\/bucket\/prefix, or [^\n]+\n$/)
      assert.match(yield* said("postgres"), /^files: postgres needs a PostgreSQL database, [^\n]+\n$/)
      assert.match(yield* said("s3://bucket?port=1"), /^the URL of the files [^\n]+: there is no parameter port\n$/)
      assert.match(
        yield* said(url.replace("trunkline-test", "none")),
        /^the bucket none cannot be used: it does not exist: [^\n]+\n$/
      )
      assert.match(yield* said(url, "--data", ":memory:"), /^files: have no place with :memory:, [^\n]+\n$/)
    }))
})
