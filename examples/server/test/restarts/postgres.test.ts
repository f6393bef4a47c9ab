import { it } from "@effect/vitest"
import { Effect } from "effect"
import { join } from "node:path"
import { setTimeout as pause } from "node:timers/promises"
import { afterAll, assert, describe } from "vitest"
import { bundled } from "../../../../test/programs/Programs.js"
import { emptyDatabase, onPostgres } from "../../../../test/setup/Postgres.js"
import { startReceiver } from "../../src/demo/Receiver.js"
import { allAttempts, createCampaign, statusOf, uploadPeople } from "../Requests.js"
import { runServer, startServer, temporaryFolder, writeBootstrap } from "../ServerProcess.js"
import { surviveKill } from "./KilledServer.js"

const command = [await bundled("examples/server/src/main.ts")]
const people = 30

/** Waits until the server ends the transaction of a stopped process: run it with TEST_SCALE=1. */
const isFull = process.env["TEST_SCALE"] === "1"

const folder = temporaryFolder()
afterAll(folder.remove)

onPostgres(() => {
  describe("a server on PostgreSQL", () => {
    it.scopedLive("that is killed in the middle of a campaign finishes it after a restart", () =>
      Effect.flatMap(
        emptyDatabase,
        (url) =>
          Effect.promise(() =>
            surviveKill(folder.path, ["--data", join(folder.path, "killed"), "--database", url], { command })
          )
      ))

    it.scopedLive("shares it with a second one, which goes on with a campaign when the first one is killed", () =>
      Effect.flatMap(emptyDatabase, (url) =>
        Effect.promise(async () => {
          const receiver = await startReceiver()
          const args = [
            "--no-demo",
            "--database",
            url,
            "--lease",
            "6",
            "--bootstrap",
            writeBootstrap(folder.path),
            "--data"
          ]
          const first = await startServer([...args, join(folder.path, "first")], { command })
          const second = await startServer([...args, join(folder.path, "second")], { command })
          const campaign = await createCampaign(first, { webhook_config: { url: receiver.url } })
          await uploadPeople(first, campaign, people)
          while ((await allAttempts(second, campaign)).length < people / 2) await pause(50)
          await first.stop("SIGKILL")
          while (await statusOf(second, campaign) !== "ended") await pause(100)
          const attempts = await allAttempts(second, campaign)
          const dials = new Set(attempts.map((attempt) => `${attempt.user_identifier} ${attempt.retry_attempt}`))
          assert.strictEqual(dials.size, attempts.length)
          assert.strictEqual(new Set(attempts.map((attempt) => attempt.user_identifier)).size, people)
          while (receiver.attempts.size < attempts.length) await pause(100)
          assert.strictEqual(await second.stop("SIGTERM"), 0)
          receiver.close()
        })))

    it.scopedLive.skipIf(!isFull)(
      "is left by a server that was stopped for longer than its lease, and nobody is called twice",
      () =>
        Effect.flatMap(emptyDatabase, (url) =>
          Effect.promise(async () => {
            const receiver = await startReceiver()
            const args = [
              "--no-demo",
              "--database",
              url,
              "--lease",
              "3",
              "--bootstrap",
              writeBootstrap(folder.path),
              "--data"
            ]
            const first = await startServer([...args, join(folder.path, "stopped")], { command })
            const campaign = await createCampaign(first, { webhook_config: { url: receiver.url } })
            await uploadPeople(first, campaign, people)
            while ((await allAttempts(first, campaign)).length < people / 3) await pause(50)
            first.process.kill("SIGSTOP")
            const second = await startServer([...args, join(folder.path, "goes-on")], { command })
            while (await statusOf(second, campaign) !== "ended") await pause(100)
            const before = await allAttempts(second, campaign)
            assert.strictEqual(await first.stop("SIGCONT"), 1)
            assert.include(first.output(), "another process has taken over")
            const attempts = await allAttempts(second, campaign)
            assert.lengthOf(attempts, before.length)
            const dials = new Set(attempts.map((attempt) => `${attempt.user_identifier} ${attempt.retry_attempt}`))
            assert.strictEqual(dials.size, attempts.length)
            assert.strictEqual(await second.stop("SIGTERM"), 0)
            receiver.close()
          }))
    )

    it("says in one line that there is no database to reach", async () => {
      const url = "postgres://nobody:secret@127.0.0.1:1/none"
      const { code, output } = await runServer(["--no-demo", "--data", folder.path, "--database", url], { command })
      assert.strictEqual(code, 1)
      assert.match(output, /^the database 127\.0\.0\.1:1\/none cannot be reached: [^\n]+\n$/)
      assert.notInclude(output, "secret")
    })
  })
})
