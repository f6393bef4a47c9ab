export { ChartsEcharts, type ChartsEchartsOptions } from "./ChartsEcharts.js"
