export { afterCallJobsLaws } from "./testing/AfterCallJobs.laws.js"
