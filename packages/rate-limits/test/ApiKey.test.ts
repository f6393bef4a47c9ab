import { assert, describe, it } from "@effect/vitest"
import { KeyEnvironment, KeyId, keyIdOf, keyText } from "@trunkline/rate-limits"
import { FastCheck, Option } from "effect"

describe("keyIdOf", () => {
  it("finds the public id for any secret", () => {
    for (const text of ["sk_test_demo_secret", "sk_live_demo_a_b-c_", "sk_X1_demo_=+/~"]) {
      assert.deepStrictEqual(keyIdOf(text), Option.some(KeyId.make("demo")))
    }
  })

  it("finds no id in other text", () => {
    const texts = [
      "",
      "sk",
      "sk_test",
      "sk_test_demo",
      "sk_test_demo_",
      "sk__demo_secret",
      "pk_test_demo_secret",
      " sk_a_b_c"
    ]
    for (const text of [...texts, "sk_test_demo_se cret", "sk_test_demo_secret\n", `sk_a_b_${"c".repeat(600)}`]) {
      assert.isTrue(Option.isNone(keyIdOf(text)))
    }
  })

  it.prop("never throws for any text", [FastCheck.string()], ([text]) => Option.isOption(keyIdOf(text)))

  it.prop("finds the id that a key text was formatted with", [
    FastCheck.stringMatching(/^[a-z0-9]{1,16}$/),
    FastCheck.stringMatching(/^[0-9a-f]{12}$/),
    FastCheck.stringMatching(/^[A-Za-z0-9_-]{1,43}$/)
  ], ([env, id, secret]) => {
    const key_id = KeyId.make(id)
    return Option.contains(keyIdOf(keyText({ env: KeyEnvironment.make(env), key_id, secret })), key_id)
  })
})
