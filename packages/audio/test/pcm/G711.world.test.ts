import { assert, describe, it } from "@effect/vitest"
import { alaw, type G711, mulaw, toPcm16 } from "@trunkline/audio"
import { isInstalled, output } from "../Tools.js"

/** A companding law by the tables of ITU-T G.711, for positive values; negative ones mirror it. */
interface Statement {
  readonly law: G711
  /** Number of 16-bit steps in a unit of the tables. */
  readonly unit: number
  /** Decision values, starting with 0: interval n is from value n to value n + 1. */
  readonly decisions: ReadonlyArray<number>
  /** Codes of interval n and its mirror. */
  readonly code: (interval: number, isNegative: boolean) => number
}

/** Decision values from the number and size of the intervals in each row of the table. */
const decisionsOf = (rows: ReadonlyArray<readonly [count: number, size: number]>): ReadonlyArray<number> =>
  rows.flatMap(([count, size]) => Array<number>(count).fill(size)).reduce<ReadonlyArray<number>>(
    (values, size) => [...values, (values.at(-1) ?? 0) + size],
    [0]
  )

/** Table 1a: 8 bits, of which the second, fourth, sixth and eighth are inverted. */
const statedAlaw: Statement = {
  law: alaw,
  unit: 8,
  decisions: decisionsOf([[32, 2], [16, 4], [16, 8], [16, 16], [16, 32], [16, 64], [16, 128]]),
  code: (interval, isNegative) => (interval | (isNegative ? 0 : 0b1000_0000)) ^ 0b0101_0101
}

/** Table 2a: 8 bits, of which all but the first are inverted, and the first is 1 for positive values. */
const statedMulaw: Statement = {
  law: mulaw,
  unit: 4,
  decisions: decisionsOf([[1, 1], [15, 2], [16, 4], [16, 8], [16, 16], [16, 32], [16, 64], [16, 128], [16, 256]]),
  code: (interval, isNegative) => (isNegative ? 0 : 0b1000_0000) | (0b0111_1111 - interval)
}

const allCodes = Uint8Array.from({ length: 256 }, (_, code) => code)
const allNumbers = Int16Array.from({ length: 65_536 }, (_, index) => index - 32_768)

const bytesOf = (numbers: Int16Array): Uint8Array => new Uint8Array(numbers.buffer)

describe.each([["mu-law", statedMulaw, 8_031, "ul"], ["A-law", statedAlaw, 4_032, "al"]] as const)(
  "%s",
  (name, { code, decisions, law, unit }, loudest, soxType) => {
    const intervals = Array.from({ length: 128 }, (_, interval) => interval)
    const [begins, ends] = [decisions.slice(0, 128), decisions.slice(1)]

    it("decodes every code to the middle of its interval", () => {
      const levels = law.decode16(allCodes)
      for (const interval of intervals) {
        const isZero = name === "mu-law" && interval === 0
        const level = isZero ? 0 : ((begins[interval] ?? 0) + (ends[interval] ?? 0)) / 2 * unit
        assert.strictEqual(levels[code(interval, false)], level, `interval ${interval}`)
        assert.strictEqual(levels[code(interval, true)], isZero ? 0 : -level, `interval -${interval}`)
      }
      assert.strictEqual(levels[code(127, false)], loudest * unit)
    })

    it("encodes every 16-bit number to its interval", () => {
      const codes = law.encode16(allNumbers)
      const [places, mirrors] = [false, true].map((isNegative) =>
        new Map(intervals.map((n) => [code(n, isNegative), n]))
      )
      const wrong = allNumbers.filter((number, index) => {
        const interval = (number < 0 ? mirrors : places)?.get(codes[index] ?? -1) ?? -1
        const size = Math.abs(number) / unit
        const isBelow = interval === 127 || size <= (ends[interval] ?? 0)
        return !(size >= (begins[interval] ?? Infinity) && isBelow)
      })
      assert.deepStrictEqual([...wrong], [])
    })

    it("encodes every decoded code to itself, except for negative zero", () => {
      const expected = name === "mu-law" ? allCodes.map((code) => code === 0x7F ? 0xFF : code) : allCodes
      assert.deepStrictEqual(law.encode16(law.decode16(allCodes)), expected)
      assert.deepStrictEqual(law.encode(law.decode(allCodes)), expected)
    })

    it("rounds samples to 16-bit numbers and clamps them", () => {
      assert.deepStrictEqual(
        law.encode(Float32Array.from(allNumbers, (number) => number / 32_768)),
        law.encode16(allNumbers)
      )
      const [lowest, highest] = [code(127, true), code(127, false)]
      assert.deepStrictEqual([...law.encode(Float32Array.of(-9, -1, 1, 9))], [lowest, lowest, highest, highest])
      assert.deepStrictEqual([...law.encode(Float32Array.of(Number.NaN))], [...law.encode(Float32Array.of(0))])
      const halves = [-1, 0, 1].flatMap((aside) =>
        Array.from(allNumbers, (number) => Math.fround((number + 0.5) / 32_768) * (1 + aside * 2 ** -23))
      )
      const samples = Float32Array.from([...halves, Infinity, -Infinity, 1e-30, -1e-30])
      assert.deepStrictEqual(law.encode(samples), law.encode16(toPcm16(samples)))
    })

    it("encodes into every second byte, and leaves the others", () => {
      const into = new Uint8Array(7).fill(3)
      law.encodeInto(Float32Array.of(0, 0.5), into, 2, 2)
      const [silence, tone] = law.encode(Float32Array.of(0, 0.5))
      assert.deepStrictEqual([...into], [3, 3, silence, 3, tone, 3, 3])
    })

    describe.skipIf(!isInstalled("sox"))("beside sox", () => {
      const raw = ["-t", soxType, "-r", "8000", "-c", "1", "-"]
      const linear = ["-t", "s16", "-r", "8000", "-c", "1", "-"]

      it("decodes every code like sox", () => {
        const bytes = output("sox", ["-D", ...raw, ...linear], allCodes)
        assert.deepStrictEqual(bytesOf(law.decode16(allCodes)), bytes)
      })

      it("encodes numbers like sox, except at the edges of intervals", () => {
        const codes = output("sox", ["-D", ...linear, ...raw], bytesOf(allNumbers))
        const [ours, theirs] = [law.decode16(law.encode16(allNumbers)), law.decode16(codes)]
        const edges = decisions.map((decision) => decision * unit)
        const differing = allNumbers.filter((_, index) => ours[index] !== theirs[index])
        const apart = differing.filter((number) => edges.every((edge) => Math.abs(Math.abs(number) - edge) > unit))
        assert.deepStrictEqual([...apart], [])
      })
    })
  }
)
