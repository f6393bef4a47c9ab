import { once } from "node:events"
import { setTimeout as pause } from "node:timers/promises"
import { afterAll, assert, describe, it } from "vitest"
import { bundled } from "../../../test/programs/Programs.js"
import { isFullSize } from "../../../test/setup/Scale.js"
import { createCampaign, statusOf } from "./Requests.js"
import { startServer, temporaryFolder, writeBootstrap } from "./ServerProcess.js"

const command = [await bundled("examples/server/src/main.ts")]
const folder = temporaryFolder()
afterAll(folder.remove)

describe.runIf(isFullSize)("a server that is stopped for longer than its lease", () => {
  it("is replaced by another process, and exits with one line when it continues", async () => {
    const args = ["--no-demo", "--lease", "3", "--data", folder.path, "--bootstrap", writeBootstrap(folder.path)]
    const first = await startServer(args, { command })
    const campaign = await createCampaign(first)
    const gone = once(first.process, "exit")
    first.process.kill("SIGSTOP")
    await pause(3_000)

    const second = await startServer(args, { command })
    const writing = createCampaign(first).then(() => "kept", () => "lost")
    first.process.kill("SIGCONT")
    assert.deepStrictEqual(await gone, [1, null])
    assert.match(first.output(), /^Stopped: another process has taken over this database/m)
    assert.strictEqual(await writing, "lost")
    assert.oneOf(await statusOf(second, campaign), ["scheduled", "active"])
    assert.strictEqual(await second.stop("SIGTERM"), 0)
  })
})
