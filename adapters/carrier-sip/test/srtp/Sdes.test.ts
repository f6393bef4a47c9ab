import { assert, describe, it } from "@effect/vitest"
import { Either, FastCheck, Redacted } from "effect"
import { inspect } from "node:util"
import {
  answerCrypto,
  isSameCrypto,
  makeCrypto,
  offerCrypto,
  readCrypto,
  readCryptoAnswer,
  writeCrypto
} from "../../src/srtp/Sdes.js"
import { anySuite } from "./Packets.js"

/** The key of the example of RFC 4568, section 9.1, and its bytes. */
const digits = "d0RmdmcmVCspeEc3QGZiNWpVLFJhQX1cfHAwJSoj"
const suite = "AES_CM_128_HMAC_SHA1_80"
const usable = `1 ${suite} inline:${digits}`

const read = (value: string) =>
  Either.match(readCrypto(value), {
    onLeft: (fault) => fault,
    onRight: ({ key, suite, tag }) => [tag, suite, Buffer.from(Redacted.value(key)).toString("base64")]
  })

const fields = [1, suite, digits]

describe("a crypto line", () => {
  it("is read with its tag, suite and key", () => {
    assert.deepStrictEqual(read(usable), fields)
    assert.deepStrictEqual(read(`2 AES_CM_128_HMAC_SHA1_32 inline:${digits}`), [2, "AES_CM_128_HMAC_SHA1_32", digits])
    assert.deepStrictEqual(read(`  999999999\t ${suite.toLowerCase()}  INLINE:${digits}  \r`), [
      999_999_999,
      suite,
      digits
    ])
  })

  it("may have a lifetime, and parameters that change nothing", () => {
    for (const tail of ["|2^20", "|2^48", "|1048576", " KDR=0", "|2^31 WSH=64", " -some=thing", " kdr=0 -x WSH=1024"]) {
      assert.deepStrictEqual(read(usable + tail), fields)
    }
  })

  it("is refused with another suite", () => {
    for (const other of ["F8_128_HMAC_SHA1_80", "AES_256_CM_HMAC_SHA1_80", "AEAD_AES_128_GCM", "NULL"]) {
      assert.strictEqual(read(`1 ${other} inline:${digits}`), "unknown_suite")
    }
  })

  it("is refused with a key of another length or other digits", () => {
    const other = ["", digits.slice(4), `${digits}AAAA`, `${digits.slice(1)}=`, `${digits.slice(1)}-`, `${digits}==`]
    for (const wrong of other) assert.strictEqual(read(`1 ${suite} inline:${wrong}`), "bad_key")
  })

  it("is refused with an identifier of the key, or with several keys", () => {
    assert.strictEqual(read(`${usable}|1:4`), "key_identifier")
    assert.strictEqual(read(`${usable}|2^20|1:4`), "key_identifier")
    assert.strictEqual(read(`${usable}|2^20|1:4;inline:${digits}|2^20|2:4`), "many_keys")
  })

  it("is refused with parameters that change the protection, and with those that nobody knows", () => {
    const parameters = [
      "UNENCRYPTED_SRTP",
      "UNENCRYPTED_SRTCP",
      "UNAUTHENTICATED_SRTP",
      "KDR=1",
      "FEC_ORDER=FEC_SRTP",
      "x"
    ]
    for (const parameter of parameters) {
      assert.strictEqual(read(`${usable} ${parameter}`), "session_parameter")
      assert.strictEqual(read(`${usable}|2^20 KDR=0 ${parameter} -ignored`), "session_parameter")
    }
  })

  it("is refused when it is malformed, whatever it holds", () => {
    const lines = [
      "",
      "1",
      `1 ${suite}`,
      `x ${suite} inline:${digits}`,
      `1234567890 ${suite} inline:${digits}`,
      `1 ${suite} other:${digits}`,
      `${usable}|2^`,
      `${usable}|2^20|2^20`,
      `${usable}|`
    ]
    for (const line of lines) assert.strictEqual(read(line), "malformed")
    FastCheck.assert(FastCheck.property(FastCheck.string(), (value) => assert.isString(read(value))))
  })

  it("is read as it was written, with a key of its own each time", () =>
    FastCheck.assert(FastCheck.property(FastCheck.nat(999_999_999), anySuite, (tag, ofSuite) => {
      const attribute = makeCrypto(tag, ofSuite)
      const again = Either.getOrThrow(readCrypto(writeCrypto(attribute)))
      assert.isTrue(isSameCrypto(attribute, again))
      assert.strictEqual(again.tag, tag)
      assert.strictEqual(Redacted.value(attribute.key).length, 30)
      assert.isFalse(isSameCrypto(attribute, makeCrypto(tag, ofSuite)))
    })))

  it("does not show its key where it is printed", () => {
    const crypto = Either.getOrThrow(readCrypto(usable))
    const secret = Buffer.from(digits, "base64")
    for (const text of [inspect(crypto, { depth: 9 }), JSON.stringify(crypto), String(crypto.key)]) {
      assert.include(text, "redacted")
      for (const part of [digits, secret.toString("hex"), [...secret].join(","), [...secret].join(", ")]) {
        assert.notInclude(text, part)
      }
    }
  })
})

describe("an offer of keys", () => {
  it("has a line for each suite, the long tag first, with different keys", () => {
    const [first, second] = offerCrypto()
    assert.deepStrictEqual([first?.tag, first?.suite], [1, "AES_CM_128_HMAC_SHA1_80"])
    assert.deepStrictEqual([second?.tag, second?.suite], [2, "AES_CM_128_HMAC_SHA1_32"])
    assert.notDeepEqual(first && Redacted.value(first.key), second && Redacted.value(second.key))
  })

  it("is answered by its first usable line, under its tag and with another key", () => {
    const agreed = answerCrypto([
      `1 AES_256_CM_HMAC_SHA1_80 inline:${digits}`,
      `2 ${suite} inline:${digits} UNENCRYPTED_SRTCP`,
      `3 AES_CM_128_HMAC_SHA1_32 inline:${digits}|2^20`,
      `4 ${suite} inline:${digits}`
    ])
    assert.deepStrictEqual(agreed && read(writeCrypto(agreed.received)), [3, "AES_CM_128_HMAC_SHA1_32", digits])
    assert.strictEqual(agreed?.sent.tag, 3)
    assert.strictEqual(agreed?.sent.suite, "AES_CM_128_HMAC_SHA1_32")
    assert.notInclude(agreed && writeCrypto(agreed.sent), digits)
  })

  it("cannot be answered without a usable line", () => {
    assert.isNull(answerCrypto([]))
    assert.isNull(answerCrypto([`${usable} UNENCRYPTED_SRTP`, "nonsense"]))
  })

  it("and its answer give both sides the same keys", () => {
    const offered = offerCrypto()
    const theirs = answerCrypto(offered.map(writeCrypto))
    const ours = readCryptoAnswer(theirs === null ? [] : [writeCrypto(theirs.sent)], offered)
    assert.isTrue(theirs !== null && ours !== null && isSameCrypto(theirs.sent, ours.received))
    assert.isTrue(theirs !== null && ours !== null && isSameCrypto(theirs.received, ours.sent))
  })

  it("is not answered by no line, several lines, another tag or the suite of another line", () => {
    const offered = offerCrypto()
    assert.isNotNull(readCryptoAnswer([usable], offered))
    const answers = [
      [],
      [usable, usable],
      [`3 ${suite} inline:${digits}`],
      [`2 ${suite} inline:${digits}`],
      [`1 AES_CM_128_HMAC_SHA1_32 inline:${digits}`],
      [`${usable} UNENCRYPTED_SRTP`]
    ]
    for (const answered of answers) assert.isNull(readCryptoAnswer(answered, offered))
  })
})
