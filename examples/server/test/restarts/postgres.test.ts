import { it } from "@effect/vitest"
import { Effect } from "effect"
import { join } from "node:path"
import { afterAll, assert, describe } from "vitest"
import { bundled } from "../../../../test/programs/Programs.js"
import { emptyDatabase, onPostgres } from "../../../../test/setup/Postgres.js"
import { runServer, startServer, temporaryFolder, writeBootstrap } from "../ServerProcess.js"
import { surviveKill } from "./KilledServer.js"

const command = [await bundled("examples/server/src/main.ts")]
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

    it.scopedLive("refuses a second one with one line, and gives the database up when it stops", () =>
      Effect.flatMap(emptyDatabase, (url) =>
        Effect.promise(async () => {
          const args = ["--no-demo", "--database", url, "--bootstrap", writeBootstrap(folder.path), "--data"]
          const first = await startServer([...args, join(folder.path, "first")], { command })
          const second = await runServer([...args, join(folder.path, "second")], { command })
          assert.strictEqual(second.code, 1)
          assert.match(second.output, /^another process uses the database [^\n]+: process \d+ on [^\n]+\n$/)
          assert.strictEqual(await first.stop("SIGTERM"), 0)
          const third = await startServer([...args, join(folder.path, "third")], { command })
          assert.strictEqual(await third.stop("SIGTERM"), 0)
        })))

    it("says in one line that there is no database to reach", async () => {
      const url = "postgres://nobody:secret@127.0.0.1:1/none"
      const { code, output } = await runServer(["--no-demo", "--data", folder.path, "--database", url], { command })
      assert.strictEqual(code, 1)
      assert.match(output, /^the database 127\.0\.0\.1:1\/none cannot be reached: [^\n]+\n$/)
      assert.notInclude(output, "secret")
    })
  })
})
