import { rehearse } from "@trunkline/rehearsal"
import { Effect } from "effect"
import { small } from "./SmallRehearsal.js"

// Runs in a separate process and prints the digest of the log.
process.stdout.write((await Effect.runPromise(rehearse(small))).log.sha256)
