let max = { rss: 0, heapTotal: 0, heapUsed: 0, external: 0, arrayBuffers: 0 }
setInterval(() => { const m = process.memoryUsage(); if (m.rss > max.rss) max = m }, 50).unref()
process.on("exit", () => console.log(Object.fromEntries(Object.entries(max).map(([k, v]) => [k, Math.round(v / 1e6)]))))
await import("./zz-run.mts")
