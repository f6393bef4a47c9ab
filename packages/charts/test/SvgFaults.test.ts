import { assert, describe, it } from "@effect/vitest"
import { svgFaults } from "@trunkline/charts/testing"

describe("svgFaults", () => {
  it("finds no fault in a valid SVG", () => {
    assert.deepStrictEqual(svgFaults(`<svg a="1">\n<g b='2'><text>1 &lt; 2</text><path d="M0 0"/></g></svg>`), [])
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
    it(`finds a fault in ${JSON.stringify(svg)}`, () => {
      assert.isAbove(svgFaults(svg).length, 0)
    })
  }
})
