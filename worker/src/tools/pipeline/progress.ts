/** The running step, to interpolate between reports. */
export interface RunningStep {
  /** Progress at its end, 0..1. */
  readonly until: number;
  /** Estimate for the rest of the step. */
  readonly seconds: number;
}

export type ReportProgress = (fraction: number, running?: RunningStep) => void;

/** Measured time of each step relative to its estimate, in this process: a running average. */
const measured = new Map<string, number>();
const NEWEST_WEIGHT = 0.3;

interface PlannedStep {
  readonly name: string;
  readonly seconds: number;
}

/** Splits remaining progress by estimates, corrected by measurements; never decreases. */
export class PipelineProgress {
  readonly #report: ReportProgress;
  #done = 0;

  constructor(report: ReportProgress) {
    this.#report = report;
  }

  /** @param remaining the step that begins and those after it */
  begin(remaining: readonly PlannedStep[]): (fraction: number) => void {
    const expected = remaining.map(({ name, seconds }) => seconds * (measured.get(name) ?? 1));
    const [own = 0] = expected;
    const total = expected.reduce((sum, seconds) => sum + seconds, 0);
    const start = this.#done;
    const share = total > 0 ? own / total : 1;
    // Rounded, the last step could end just below 1.
    const until = share === 1 ? 1 : start + (1 - start) * share;
    const report = (fraction: number) => {
      const part = Math.min(1, fraction);
      this.#done = Math.max(this.#done, part === 1 ? until : start + (until - start) * part);
      this.#report(this.#done, { until, seconds: own * (1 - part) });
    };
    if (own > 0) report(0);
    return report;
  }

  end({ name, seconds: estimate }: PlannedStep, seconds: number): void {
    if (estimate <= 0) return;
    const ratio = seconds / estimate;
    const earlier = measured.get(name);
    measured.set(name, earlier === undefined ? ratio : earlier + (ratio - earlier) * NEWEST_WEIGHT);
  }
}
