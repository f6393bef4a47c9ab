import { assert, describe, it } from "@effect/vitest"
import { faultsOfSvg } from "@trunkline/charts/testing"

describe("what is wrong with an SVG", () => {
  it("is nothing in a sound one", () => {
    assert.deepStrictEqual(faultsOfSvg(`<svg a="1">\n<g b='2'><text>1 &lt; 2</text><path d="M0 0"/></g></svg>`), [])
  })

  for (
    const svg of [
      "<svg><g></svg>",
      "<svg></g></svg>",
      "<svg/><svg/>",
      "<svg>1 < 2</svg>",
      "<svg>a & b</svg>",
      "<svg>\u0007</svg>",
      `<svg a="1" a="2"/>`,
      `<svg a=1/>`,
      "<svg><script>1</script></svg>",
      `<svg onload="x"/>`,
      `<svg><image href="a.png"/></svg>`,
      `<svg fill="url(http://example.com)"/>`,
      "<svg/>text",
      "text"
    ]
  ) {
    it(`is found in ${JSON.stringify(svg)}`, () => {
      assert.isAbove(faultsOfSvg(svg).length, 0)
    })
  }
})
