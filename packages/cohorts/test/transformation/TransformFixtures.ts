import { assert, it } from "@effect/vitest"
import type { Transform } from "@trunkline/cohorts"
import { Option } from "effect"
import { textTransform } from "../../src/transformation/Transforms.js"

export const apply = (transform: Transform, text: string) => Option.getOrNull(textTransform(transform)(text))

/** Tests a transform with texts and expected results; null where it fails. */
export const table = (
  sentence: string,
  transform: Transform,
  cases: ReadonlyArray<readonly [text: string, expected: string | null]>
) =>
  it(`${transform.type} ${sentence}`, () =>
    assert.deepStrictEqual<unknown>(cases.map(([text]) => [text, apply(transform, text)]), cases))
