import { run as agents } from "./agents.js"
import { run as answer } from "./answer.js"
import { run as boards } from "./boards.js"
import { run as campaign } from "./campaign.js"
import { run as canary } from "./canary.js"
import { run as cohorts } from "./cohorts.js"
import { run as console_ } from "./console.js"
import { run as conversation } from "./conversation.js"
import { run as csv } from "./csv.js"
import { run as curves } from "./curves.js"
import { run as detectors } from "./detectors.js"
import { run as dispatch } from "./dispatch.js"
import { run as embedding } from "./embedding.js"
import { run as eot } from "./eot.js"
import { run as http } from "./http.js"
import { run as idle } from "./idle.js"
import { run as jsonWriter } from "./json-writer.js"
import { run as ledger } from "./ledger.js"
import { run as limits } from "./limits.js"
import { run as media } from "./media.js"
import { run as models } from "./models.js"
import { run as operations } from "./operations.js"
import { run as queues } from "./queues.js"
import { run as recording } from "./recording.js"
import { run as rehearsal } from "./rehearsal.js"
import { run as relay } from "./relay.js"
import { run as replay } from "./replay.js"
import { writeResults } from "./report.js"
import { run as scaling } from "./scaling.js"
import { run as sip } from "./sip.js"
import { run as start } from "./start.js"
import { run as stopFiles } from "./stop-files.js"
import { run as streams } from "./streams.js"
import { run as virtualClock } from "./virtual-clock.js"
import { run as voices } from "./voices.js"
import { run as webhooks } from "./webhooks.js"

const benches: Readonly<Record<string, () => Promise<void>>> = {
  "json-writer": jsonWriter,
  "virtual-clock": virtualClock,
  agents,
  answer,
  boards,
  campaign,
  canary,
  cohorts,
  console: console_,
  conversation,
  csv,
  curves,
  detectors,
  dispatch,
  embedding,
  eot,
  http,
  idle,
  ledger,
  limits,
  media,
  models,
  operations,
  queues,
  recording,
  rehearsal,
  relay,
  replay,
  scaling,
  sip,
  start,
  "stop-files": stopFiles,
  streams,
  voices,
  webhooks
}

/** `npm run bench` runs all benchmarks, `npm run bench -- http` runs one. Their results go to bench/RESULTS.md. */
const names = process.argv.length > 2 ? process.argv.slice(2) : Object.keys(benches)

for (const name of names) {
  const bench = benches[name]
  if (bench === undefined) {
    console.error(`There is no bench ${name}; there are ${Object.keys(benches).join(", ")}`)
    process.exit(1)
  }
  console.log(`\n${name}`)
  await bench()
  writeResults(name)
}
