export * as LimitsRedis from "./LimitsRedis.js"
