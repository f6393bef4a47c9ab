import { Data, Effect, Runtime } from "effect"
import { assert, describe, it } from "vitest"
import { explain, StartError } from "../../src/server/Explain.js"

const failure = (message: string, more: Readonly<Record<string, string>>) => Object.assign(new Error(message), more)

/** A failure that an engine tells of by itself. */
class InUse extends Data.TaggedError("InUse")<{ readonly message: string }> {}

/** An error as it comes out of an engine that did not start. */
const outOfEngine = async (cause: Effect.Effect<never, unknown>) => {
  const failed: unknown = await Effect.runPromise(cause).catch((error: unknown) => error)
  assert.isTrue(Runtime.isFiberFailure(failed))
  return failed
}

describe("the message of a failed start", () => {
  it("is one line with the next step, for errors that a person can correct", async () => {
    const notDatabase = failure("file is not a database", { code: "SQLITE_NOTADB" })
    const readonly = failure("attempt to write a readonly database", { code: "SQLITE_READONLY_DIRECTORY" })
    const port = failure("listen EACCES: permission denied 127.0.0.1:80", { code: "EACCES", syscall: "listen" })
    const folder = failure("EACCES: permission denied, mkdir '/srv/x'", { code: "EACCES", syscall: "mkdir" })
    assert.match(
      explain(await outOfEngine(Effect.die(notDatabase))),
      /^file is not a database: .*choose another folder/
    )
    assert.match(explain(await outOfEngine(Effect.die(readonly))), /^attempt to write .*: choose a folder with --data/)
    assert.strictEqual(
      explain(port),
      "listen EACCES: permission denied 127.0.0.1:80: choose a port from 1024 on with --port"
    )
    assert.match(explain(folder), /mkdir '\/srv\/x': choose a folder with --data that this user can write/)
    for (const error of [notDatabase, readonly, port, folder]) assert.notInclude(explain(error), "\n")
  })

  it("is the message alone, for errors of the engine or the server", async () => {
    assert.strictEqual(explain(new StartError("no agent")), "no agent")
    assert.strictEqual(
      explain(await outOfEngine(Effect.fail(new InUse({ message: "the folder is in use" })))),
      "the folder is in use"
    )
  })

  it("has the stack trace, for internal errors", async () => {
    assert.match(explain(await outOfEngine(Effect.die(new Error("a mistake of ours")))), /a mistake of ours\n\s+at /)
    assert.strictEqual(explain("a text"), "a text")
  })
})
