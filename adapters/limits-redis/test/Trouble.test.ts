import { assert, it } from "@effect/vitest"
import { ErrorReply, SocketClosedUnexpectedlyError } from "redis"
import { troubleOf } from "../src/Trouble.js"

it("trouble is told by a code or a class, never by a message", () => {
  assert.strictEqual(troubleOf(new ErrorReply("WRONGPASS invalid username-password pair")), "WRONGPASS")
  assert.strictEqual(
    troubleOf(Object.assign(new Error("connect 10.0.0.1:6379"), { code: "ECONNREFUSED" })),
    "ECONNREFUSED"
  )
  assert.strictEqual(troubleOf(new SocketClosedUnexpectedlyError()), "SocketClosedUnexpectedlyError")
  assert.strictEqual(troubleOf(new TypeError("redis://user:secret@host")), "TypeError")
  assert.strictEqual(troubleOf("secret"), "unknown")
})
