import { assert, it } from "@effect/vitest"
import { ErrorReply, SocketClosedUnexpectedlyError } from "redis"
import { errorCodeOf } from "../src/ScriptRunner.js"

it("describes an error by its code or class, never by its message", () => {
  assert.strictEqual(errorCodeOf(new ErrorReply("WRONGPASS invalid username-password pair")), "WRONGPASS")
  assert.strictEqual(
    errorCodeOf(Object.assign(new Error("connect 10.0.0.1:6379"), { code: "ECONNREFUSED" })),
    "ECONNREFUSED"
  )
  assert.strictEqual(errorCodeOf(new SocketClosedUnexpectedlyError()), "SocketClosedUnexpectedlyError")
  assert.strictEqual(errorCodeOf(new TypeError("redis://user:secret@host")), "TypeError")
  assert.strictEqual(errorCodeOf("secret"), "unknown")
})
