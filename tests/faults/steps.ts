/** What the hook `kill-at-step.mjs` does at a step. */
export interface Kill {
  readonly step: string;
  /** The process that reaches the step by default. */
  readonly pids?: readonly number[];
  /** Removed before. */
  readonly folders: readonly string[];
}
