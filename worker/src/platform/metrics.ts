import { Injectable } from '@nestjs/common';
import { Counter, collectDefaultMetrics, Histogram, Registry } from 'prom-client';

/** Seconds, up to the job's timeout. */
const STEP_BUCKETS = [0.01, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 180];
const LATENCY_BUCKETS = [0.05, 0.1, 0.5, 1, 5, 15, 60, 300, 900];

@Injectable()
export class Metrics {
  private readonly registry = new Registry();

  /** `retried`: attempts that will be repeated. */
  readonly runs = new Counter({
    name: 'clearframe_worker_runs_total',
    help: 'Runs that ended, by job and outcome',
    labelNames: ['job', 'outcome'],
    registers: [this.registry],
  });

  readonly stepSeconds = new Histogram({
    name: 'clearframe_worker_step_seconds',
    help: 'Duration of a step',
    labelNames: ['job', 'step'],
    buckets: STEP_BUCKETS,
    registers: [this.registry],
  });

  readonly queueSeconds = new Histogram({
    name: 'clearframe_worker_queue_seconds',
    help: 'Time a job waited before it was taken',
    labelNames: ['job'],
    buckets: LATENCY_BUCKETS,
    registers: [this.registry],
  });

  constructor() {
    collectDefaultMetrics({ register: this.registry });
  }

  readonly contentType = this.registry.contentType;

  text(): Promise<string> {
    return this.registry.metrics();
  }
}
