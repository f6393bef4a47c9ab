export * as TranscriberOpenAi from "./TranscriberOpenAi.js"
