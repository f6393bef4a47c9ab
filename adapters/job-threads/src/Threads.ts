import { entryBeside } from "@trunkline/workers"

/** Module of the threads that import cohorts. */
export const importsEntry = entryBeside(import.meta.url, "imports")

/** Module of the thread that rehearses campaigns. */
export const rehearsalsEntry = entryBeside(import.meta.url, "rehearsals")
