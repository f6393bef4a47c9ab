// Kills servers that import cohorts, at moments that a seed decides: `npm run kills -- [kills] [rows] [seed]`.
import { isDeepStrictEqual } from "node:util"
import { type Kill, surviveKills, type Trial } from "./imports/ImportKills.js"

const [kills = 100, rows = 60_000, seed = 1] = process.argv.slice(2).map(Number)

/** Numbers from 0 to 1 that follow from a seed (Mulberry32). */
const randomFrom = (seed: number) => {
  let state = seed
  return () => {
    state = state + 0x6d2b79f5 | 0
    let mixed = Math.imul(state ^ state >>> 15, state | 1)
    mixed ^= mixed + Math.imul(mixed ^ mixed >>> 7, mixed | 61)
    return ((mixed ^ mixed >>> 14) >>> 0) / 2 ** 32
  }
}

const random = randomFrom(seed)

const trial = (most: number): Trial => {
  const count = Math.min(most, 1 + Math.floor(random() * 8))
  const shares = Array.from({ length: count }, () => random()).sort((a, b) => a - b)
  const receiving = Math.floor(random() * 3)
  return {
    rows,
    source: random() < 0.5 ? "upload" : "url",
    kills: shares.map((share, index): Kill =>
      index < receiving ? { during: "receiving", share: random() } : { during: "reading", share }
    )
  }
}

const { outcome: expected } = await surviveKills({ rows, source: "upload", kills: [] })
console.log("Undisturbed:", expected)

let [done, hits, differences] = [0, 0, 0]
while (done < kills) {
  const next = trial(kills - done)
  const result = await surviveKills(next)
  done += next.kills.length
  hits += result.hits
  if (!isDeepStrictEqual(result.outcome, expected)) {
    differences += 1
    console.log("Different:", next, result.outcome)
  }
  console.log(`${done} kills, ${hits} of them before the end, ${differences} imports that ended differently`)
}
process.exitCode = differences === 0 ? 0 : 1
