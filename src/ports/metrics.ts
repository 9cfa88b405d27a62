/** Numbers for an operator's graphs. Names are Prometheus names without the `parley_` in front. */
export type Metrics = {
  count(name: string, by?: number, labels?: Record<string, string>): void
  observe(name: string, seconds: number, labels?: Record<string, string>): void
  /** Read when metrics are collected. */
  gauge(name: string, read: () => number): void
}

export const noMetrics: Metrics = { count() {}, observe() {}, gauge() {} }
