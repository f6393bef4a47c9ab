import { Either } from "effect"
import { assert, describe, it } from "vitest"
import { readOtelVariables } from "../../src/assembly/telemetry/OtelVariables.js"

const read = (environment: Readonly<Record<string, string>>) => Either.getOrThrow(readOtelVariables(environment))

const problems = (environment: Readonly<Record<string, string>>) =>
  Either.getOrElse(Either.flip(readOtelVariables(environment)), () => [])

describe("the variables of OpenTelemetry", () => {
  it("ask for nothing when there are none, or empty ones", () => {
    const nothing = { isOff: false, isOn: false, followsParent: true, options: {} }
    assert.deepStrictEqual(read({}), nothing)
    assert.deepStrictEqual(read({ OTEL_EXPORTER_OTLP_ENDPOINT: "", OTEL_TRACES_SAMPLER: "" }), nothing)
  })

  it("name the collector, its headers and its protocol, those of traces first", () => {
    assert.deepStrictEqual(
      read({
        OTEL_EXPORTER_OTLP_ENDPOINT: "http://collector:4318",
        OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: "https://traces.example/path",
        OTEL_EXPORTER_OTLP_HEADERS: "x-key=general",
        OTEL_EXPORTER_OTLP_TRACES_HEADERS: "x-key=a%20b, x-tenant = main",
        OTEL_EXPORTER_OTLP_PROTOCOL: "http/protobuf",
        OTEL_EXPORTER_OTLP_TIMEOUT: "2500"
      }),
      {
        isOff: false,
        isOn: true,
        followsParent: true,
        tracesUrl: "https://traces.example/path",
        options: {
          endpoint: "http://collector:4318",
          headers: { "x-key": "a b", "x-tenant": "main" },
          protocol: "http/protobuf",
          timeout: 2_500
        }
      }
    )
  })

  it("name the service and its resource", () => {
    const otelResourceAttributes = "service.name=other,deployment.environment.name=test"
    const resource = { "deployment.environment.name": "test" }
    assert.deepStrictEqual(read({ OTEL_RESOURCE_ATTRIBUTES: otelResourceAttributes }).options, {
      serviceName: "other",
      resource
    })
    assert.strictEqual(
      read({ OTEL_RESOURCE_ATTRIBUTES: otelResourceAttributes, OTEL_SERVICE_NAME: "desk" }).options.serviceName,
      "desk"
    )
  })

  it("choose the sampler and its ratio", () => {
    const chosen = (OTEL_TRACES_SAMPLER: string) => {
      const { followsParent, options } = read({ OTEL_TRACES_SAMPLER, OTEL_TRACES_SAMPLER_ARG: "0.25" })
      return [followsParent, options.sampling]
    }
    assert.deepStrictEqual(chosen("always_off"), [false, 0])
    assert.deepStrictEqual(chosen("traceidratio"), [false, 0.25])
    assert.deepStrictEqual(chosen("parentbased_always_on"), [true, 1])
    assert.deepStrictEqual(chosen("parentbased_traceidratio"), [true, 0.25])
  })

  it("turn traces off", () => {
    const on = { OTEL_EXPORTER_OTLP_ENDPOINT: "http://collector:4318" }
    assert.isTrue(read({ ...on, OTEL_SDK_DISABLED: "true" }).isOff)
    assert.isTrue(read({ ...on, OTEL_TRACES_EXPORTER: "none" }).isOff)
    assert.isFalse(read({ ...on, OTEL_SDK_DISABLED: "false" }).isOff)
  })

  it("are refused with what they should be, and without their values", () => {
    const found = problems({
      OTEL_EXPORTER_OTLP_ENDPOINT: "quiet:4317",
      OTEL_EXPORTER_OTLP_HEADERS: "quiet",
      OTEL_EXPORTER_OTLP_PROTOCOL: "grpc",
      OTEL_TRACES_SAMPLER: "quiet",
      OTEL_TRACES_SAMPLER_ARG: "2",
      OTEL_TRACES_EXPORTER: "jaeger"
    })
    assert.deepStrictEqual(found, [
      "OTEL_EXPORTER_OTLP_ENDPOINT must be an http or https URL, such as http://127.0.0.1:4318",
      "OTEL_EXPORTER_OTLP_HEADERS must be of the form name=value,other=value",
      "OTEL_EXPORTER_OTLP_PROTOCOL must be one of http/json, http/protobuf",
      "OTEL_TRACES_SAMPLER must be one of always_on, always_off, traceidratio, parentbased_always_on, "
      + "parentbased_always_off, parentbased_traceidratio",
      "OTEL_TRACES_SAMPLER_ARG must be a number from 0 to 1",
      "OTEL_TRACES_EXPORTER must be otlp or none"
    ])
  })
})
