import { assert, describe, it } from "@effect/vitest"
import { inlineImage } from "@trunkline/models"
import { Either, Encoding, FastCheck, Record } from "effect"

const begin = {
  "image/png": [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a],
  "image/jpeg": [0xff, 0xd8, 0xff, 0xe0],
  "image/gif": [0x47, 0x49, 0x46, 0x38, 0x39, 0x61],
  "image/webp": [0x52, 0x49, 0x46, 0x46, 0x24, 0x00, 0x00, 0x00, 0x57, 0x45, 0x42, 0x50]
}

const base64Of = (bytes: ReadonlyArray<number>) => Encoding.encodeBase64(Uint8Array.from(bytes))

const png = base64Of(begin["image/png"])

/** The error message for a URL. */
const fault = (url: string): string => Either.match(inlineImage(url), { onLeft: (text) => text, onRight: () => "fine" })

describe("an inline image", () => {
  it.prop(
    "is parsed for every media type and all bytes",
    [FastCheck.constantFrom(...Record.keys(begin)), FastCheck.uint8Array()],
    ([mediaType, rest]) => {
      const base64 = base64Of([...begin[mediaType], ...rest])
      const url = `data:${mediaType};base64,${base64}`
      assert.deepStrictEqual(inlineImage(url), Either.right({ type: "image", mediaType, base64 } as const))
    }
  )

  it("may have capitals, parameters, and image/jpg as its media type", () => {
    const expected = (mediaType: string, base64: string) => Either.right({ type: "image", mediaType, base64 } as const)
    assert.deepStrictEqual(inlineImage(`DATA:Image/PNG;BASE64,${png}`), expected("image/png", png))
    const url = `data:image/png; charset=utf-8;name=a.png;base64,${png}`
    assert.deepStrictEqual(inlineImage(url), expected("image/png", png))
    const jpeg = base64Of(begin["image/jpeg"])
    assert.deepStrictEqual(inlineImage(`data:image/jpg;base64,${jpeg}`), expected("image/jpeg", jpeg))
  })

  it("is not a URL that would have to be fetched", () => {
    for (const url of ["https://example.com/cat.png", "HTTP://169.254.169.254/", "file:///etc/passwd", "cat.png", ""]) {
      assert.match(fault(url), /must be sent inline.*not fetched/)
    }
  })

  it("has a known media type", () => {
    for (const kind of ["image/svg+xml", "text/html", "", "image/__proto__", "constructor"]) {
      assert.match(fault(`data:${kind};base64,${png}`), /one of these: png, jpeg, gif, webp/)
    }
  })

  it("is declared as base64, and is valid base64", () => {
    const wrong = [`data:image/png,${png}`, `data:image/png;base64;a=b,${png}`, `data:image/png;base64${png}`, "data:"]
    for (const url of wrong) assert.match(fault(url), /written as data:image\/png;base64,/)
    const broken = [
      `${png}=`,
      png.slice(0, -1),
      `${png}====`,
      `=${png.slice(1)}`,
      `${png} AAA`,
      `${png}\nAAA`,
      "iVB_Rw0K",
      "Zm9v%3D%3D"
    ]
    for (const base64 of broken) assert.match(fault(`data:image/png;base64,${base64}`), /not base64/)
    assert.match(fault("data:image/png;base64,"), /empty/)
  })

  it("has the bytes of its media type", () => {
    const gif = base64Of(begin["image/gif"])
    assert.match(fault(`data:image/png;base64,${gif}`), /says that it is image\/png, but its bytes are image\/gif/)
    assert.match(fault(`data:image/png;base64,${base64Of([1, 2, 3])}`), /none of these/)
    assert.match(fault("data:image/png;base64,iVA="), /none of these/)
  })

  it.prop("is never repeated in an error", [FastCheck.base64String({ minLength: 8, maxLength: 60 })], ([secret]) => {
    assert.notInclude(fault(`data:image/png;base64,${secret}`), secret)
  })

  it("is scanned once, even if it is long", () => {
    const long = `${base64Of([...begin["image/png"], 0])}${"A".repeat(10_000_000)}`
    assert.strictEqual(fault(`data:image/png;base64,${long}`), "fine")
    assert.match(fault(`data:image/png;base64,${long}AA*=`), /not base64/)
    assert.match(fault(`data:image/png;base64,${"=".repeat(10_000_000)}`), /not base64/)
    assert.match(fault(`data:image/png${";a=b".repeat(2_000_000)};base64,${png}`), /written as/)
  })
})
