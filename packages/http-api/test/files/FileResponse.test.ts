import { assert, describe, it } from "@effect/vitest"
import { FastCheck } from "effect"
import { attachment } from "../../src/response/FileResponse.js"

/** Parses the names in the header, as a client does (RFC 6266, RFC 8187). */
const parseNames = (header: string) => {
  const [, quoted = "", , encoded] =
    /^attachment; filename="((?:[^"\\]|\\.)*)"(; filename\*=UTF-8''([\w!#$&+.^`|~%-]*))?$/.exec(header) ??
      assert.fail(header)
  return {
    plain: quoted.replaceAll(/\\(.)/g, "$1"),
    extended: encoded === undefined ? null : decodeURIComponent(encoded)
  }
}

describe("attachment", () => {
  it.each([
    ["coh-1a2b3c4d5e6f_cohort.csv", "attachment; filename=\"coh-1a2b3c4d5e6f_cohort.csv\""],
    ["a \"quoted\" name; x=y", "attachment; filename=\"a \\\"quoted\\\" name; x=y\""],
    ["../../etc/passwd", "attachment; filename=\".._.._etc_passwd\""],
    ["a\\b", "attachment; filename=\"a_b\""],
    ["one\r\nset-cookie: two\0\u007f", "attachment; filename=\"one__set-cookie: two__\""],
    [
      "ग्राहक.csv",
      "attachment; filename=\"______.csv\"; filename*=UTF-8''%E0%A4%97%E0%A5%8D%E0%A4%B0%E0%A4%BE%E0%A4%B9%E0%A4%95.csv"
    ],
    ["50%41.csv", "attachment; filename=\"50_41.csv\"; filename*=UTF-8''50%2541.csv"],
    ["it's (ä)*", "attachment; filename=\"it's (_)*\"; filename*=UTF-8''it%27s%20%28%C3%A4%29%2A"],
    ["moc.\u202eexe\u2028 \ud83d", "attachment; filename=\"moc._exe_ _\""],
    ["", "attachment; filename=\"\""]
  ])("renders the name %j", (name, header) => {
    assert.strictEqual(attachment(name), header)
  })

  it("renders one ASCII header for any name, and replaces only unsafe characters", () => {
    FastCheck.assert(FastCheck.property(FastCheck.string({ unit: "binary", maxLength: 40 }), (name) => {
      const header = attachment(name)
      assert.match(header, /^[ -~]*$/)
      assert.strictEqual(new Headers({ "content-disposition": header }).get("content-disposition"), header.trim())
      const { extended, plain } = parseNames(header)
      const sent = extended ?? plain
      assert.notMatch(sent, /[\p{Cc}/\\]/u)
      assert.strictEqual(sent.length, name.length)
      assert.isTrue(
        Array.from(name).every((char, index) => Array.from(sent)[index] === char || Array.from(sent)[index] === "_")
      )
    }))
  })
})
