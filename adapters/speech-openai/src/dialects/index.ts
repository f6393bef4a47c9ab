export * from "./Inline.js"
export { chatterbox, multipart, type MultipartOptions, xtts } from "./Multipart.js"
export { openAi } from "./OpenAiSpeech.js"
export * from "./XttsStreaming.js"
