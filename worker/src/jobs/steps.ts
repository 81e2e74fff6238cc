import { inSpan } from '@clearframe/runtime/tracing';
import type { Metrics } from '../platform/metrics.js';
import type { StepTiming } from '../tools/pipeline/pipeline.js';
import type { ReportProgress } from '../tools/pipeline/progress.js';
import type { JobContext } from './job-handler.js';

/** Runs and measures a job's steps; stops between them when aborted. */
export class Steps<Name extends string> {
  readonly timings: StepTiming[] = [];

  /** @param progressAfter progress of the job after each step, 0..1, in their order; it may be replaced once more is known */
  constructor(
    private readonly jobName: string,
    public progressAfter: Readonly<Record<Name, number>>,
    private readonly context: JobContext,
    private readonly metrics: Metrics,
  ) {}

  async run<Result>(step: Name, work: () => Promise<Result>): Promise<Result> {
    this.context.signal.throwIfAborted();
    const started = performance.now();
    const result = await inSpan(step, {}, work);
    const ms = performance.now() - started;
    this.timings.push({ step, ms: Math.round(ms * 10) / 10, sessionMs: 0 });
    this.metrics.stepSeconds.observe({ job: this.jobName, step }, ms / 1000);
    this.context.progress(this.progressAfter[step]);
    return result;
  }

  /** Reports progress within a step, 0..1, as that of the job. */
  within(step: Name): ReportProgress {
    const names = Object.keys(this.progressAfter) as Name[];
    const before = names[names.indexOf(step) - 1];
    const start = before === undefined ? 0 : this.progressAfter[before];
    const place = (part: number) => start + part * (this.progressAfter[step] - start);
    return (part, running) =>
      this.context.progress(place(part), running && { ...running, until: place(running.until) });
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
