import { entryBeside } from "@trunkline/workers"

/** Module of the child processes that run untrusted statements. */
export const runnerEntry = entryBeside(import.meta.url, "runner")

/** Module of the child process that writes the files of all workspaces. */
export const writerEntry = entryBeside(import.meta.url, "writer")

/** Module of the threads that search knowledge. */
export const knowledgeEntry = entryBeside(import.meta.url, "knowledge")
