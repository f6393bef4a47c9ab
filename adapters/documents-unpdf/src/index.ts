export { DocumentThreads, type DocumentThreadsOptions } from "./DocumentThreads.js"
