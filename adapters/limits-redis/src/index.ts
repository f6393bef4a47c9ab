export { BusRedis, type BusRedisOptions } from "./BusRedis.js"
export * as LimitsRedis from "./LimitsRedis.js"
