import type { Metrics } from '../../metrics/metrics.js';
import type { JobContext } from './job-handler.js';

export interface StepTiming {
  readonly step: string;
  readonly ms: number;
  /** The part inside the networks. */
  readonly sessionMs: number;
}

/** Runs a job's steps in sequence, measures each, and stops between them when aborted. */
export class Steps<Name extends string> {
  readonly timings: StepTiming[] = [];

  /** @param reached progress of the whole job after each step, 0..1 */
  constructor(
    private readonly jobName: string,
    private readonly reached: Readonly<Record<Name, number>>,
    private readonly context: JobContext,
    private readonly metrics: Metrics,
  ) {}

  async run<Result>(step: Name, work: () => Promise<Result>): Promise<Result> {
    this.context.signal.throwIfAborted();
    const started = performance.now();
    const result = await work();
    const ms = performance.now() - started;
    this.timings.push({ step, ms: Math.round(ms * 10) / 10, sessionMs: 0 });
    this.metrics.stepSeconds.observe({ job: this.jobName, step }, ms / 1000);
    this.context.progress(this.reached[step]);
    return result;
  }

  /** Adds a step's own measurements as `step.part`; their session times count towards the step. */
  explain(step: Name, parts: readonly StepTiming[]): void {
    const whole = this.timings.findIndex((timing) => timing.step === step);
    const sessionMs = parts.reduce((sum, part) => sum + part.sessionMs, 0);
    this.timings.splice(
      whole,
      1,
      ...this.timings.slice(whole, whole + 1).map((timing) => ({ ...timing, sessionMs })),
      ...parts.map((part) => ({ ...part, step: `${step}.${part.step}` })),
    );
  }
}
