import { it } from "@effect/vitest"
import { Effect } from "effect"
import { join } from "node:path"
import { afterAll, assert, describe } from "vitest"
import { bundled } from "../../../../test/programs/Programs.js"
import { emptyDatabase, onPostgres } from "../../../../test/setup/Postgres.js"
import { runServer, temporaryFolder } from "../ServerProcess.js"
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

    it("says in one line that there is no database to reach", async () => {
      const url = "postgres://nobody:secret@127.0.0.1:1/none"
      const { code, output } = await runServer(["--no-demo", "--data", folder.path, "--database", url], { command })
      assert.strictEqual(code, 1)
      assert.match(output, /^the database 127\.0\.0\.1:1\/none cannot be reached: [^\n]+\n$/)
      assert.notInclude(output, "secret")
    })
  })
})
