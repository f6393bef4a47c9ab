export * from "./ChartsEcharts.js"
