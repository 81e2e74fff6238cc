import type { Metrics } from '../platform/metrics.js';
import type { StepTiming } from '../tools/pipeline/pipeline.js';
import type { JobContext } from './job-handler.js';

/** Runs and measures a job's steps; stops between them when aborted. */
export class Steps<Name extends string> {
  readonly timings: StepTiming[] = [];

  /** @param progressAfter progress of the job after each step, 0..1 */
  constructor(
    private readonly jobName: string,
    private readonly progressAfter: Readonly<Record<Name, number>>,
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
    this.context.progress(this.progressAfter[step]);
    return result;
  }

  /** Adds measurements of a step as `step.part`; their session times are part of the step's. */
  addParts(step: Name, parts: readonly StepTiming[]): void {
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
