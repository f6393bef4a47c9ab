import { rehearse } from "@trunkline/rehearsal"
import { Effect } from "effect"
import { small } from "./SmallRehearsal.js"

// A process of its own, which writes the digest of the log.
process.stdout.write((await Effect.runPromise(rehearse(small))).log.sha256)
