export interface Fault {
  /** `POST /v1/subscriptions`, with ids as `{id}`; `*` for any; `change` for any that isn't a GET. */
  readonly operation: string;
  /**
   * `drop`: closed without execution. `drop_after`: executed, then closed without a response. `delay`: executed, answered
   * later. `error`: answered with `status` without execution.
   */
  readonly kind: 'drop' | 'drop_after' | 'delay' | 'error';
  /** Number of requests; null for all until {@link Faults.clear}. */
  readonly times: number | null;
  readonly status?: number;
  readonly delayMs?: number;
}

interface HeldResponse {
  readonly operation: string;
  readonly reached: () => void;
  readonly released: Promise<void>;
}

/** Simulates outages, lost and late responses. */
export class Faults {
  private active: { fault: Fault; left: number }[] = [];
  private held: HeldResponse | undefined;

  /**
   * The next request of an operation (`*` for any) is executed (`reached`); its response arrives after `release`.
   */
  holdNextResponse(operation = '*'): { readonly reached: Promise<void>; release(): void } {
    const reached = Promise.withResolvers<void>();
    const released = Promise.withResolvers<void>();
    this.held = { operation, reached: reached.resolve, released: released.promise };
    return { reached: reached.promise, release: released.resolve };
  }

  /** Taken when a request arrives and called when it was executed. */
  takeHold(operation: string): () => Promise<void> {
    const isNext = this.held?.operation === '*' || this.held?.operation === operation;
    const held = isNext ? this.held : undefined;
    if (isNext) this.held = undefined;
    return async () => {
      held?.reached();
      await held?.released;
    };
  }

  add(fault: Fault): void {
    this.active.push({ fault, left: fault.times ?? Number.POSITIVE_INFINITY });
  }

  clear(): void {
    this.active = [];
  }

  /** Uses up one occurrence. */
  take(operation: string): Fault | null {
    const isChange = !operation.startsWith('GET ');
    const found = this.active.find(
      ({ fault }) =>
        fault.operation === '*' || fault.operation === operation || (fault.operation === 'change' && isChange),
    );
    if (!found) return null;
    found.left -= 1;
    if (found.left <= 0) this.active = this.active.filter((entry) => entry !== found);
    return found.fault;
  }
}
