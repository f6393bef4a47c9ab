import { afterAll, describe, it } from "vitest"
import { bundled } from "../../../../test/programs/Programs.js"
import { temporaryFolder } from "../ServerProcess.js"
import { surviveKill } from "./KilledServer.js"

const command = [await bundled("examples/server/src/main.ts")]
const folder = temporaryFolder()
afterAll(folder.remove)

describe("a server that is killed in the middle of a campaign", () => {
  it("finishes it after a restart: no contact is lost, and no attempt is dialled twice", () =>
    surviveKill(folder.path, ["--data", folder.path], { command }))
})
