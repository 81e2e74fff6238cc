import type { AiEngine } from './engine.js';

/** Uses the inference process with the fewest calls. */
export class EnginePool {
  private readonly calls = new Map<AiEngine, number>();

  constructor(engines: readonly AiEngine[]) {
    for (const engine of engines) this.calls.set(engine, 0);
  }

  /** False without inference processes: the worker does not serve their queue. */
  get isOpen(): boolean {
    return this.calls.size > 0;
  }

  /** Whether an inference process has no call. */
  get isIdle(): boolean {
    return [...this.calls.values()].includes(0);
  }

  /** In sequence: loading networks takes the whole memory bandwidth. */
  async start(): Promise<void> {
    for (const engine of this.calls.keys()) await engine.start();
  }

  async use<Result>(call: (engine: AiEngine) => Promise<Result>): Promise<Result> {
    const engine = this.leastBusy();
    this.count(engine, 1);
    try {
      return await call(engine);
    } finally {
      this.count(engine, -1);
    }
  }

  async close(): Promise<void> {
    await Promise.all([...this.calls.keys()].map((engine) => engine.close()));
  }

  private leastBusy(): AiEngine {
    const [first, ...others] = this.calls;
    if (!first) throw new Error('the pool has no inference process');
    return others.reduce((least, each) => (each[1] < least[1] ? each : least), first)[0];
  }

  private count(engine: AiEngine, change: number): void {
    this.calls.set(engine, (this.calls.get(engine) ?? 0) + change);
  }
}

export interface EnginePools {
  /** Has all networks; closed in a worker that does not serve pictures with networks. */
  readonly networks: EnginePool;
  /** For work that restores no pixels. */
  readonly light: EnginePool;
}

/** Light work goes to an idle process with all networks, since starting another one takes time and memory. */
export function poolFor({ networks, light }: EnginePools, isLight: boolean): EnginePool {
  if (!networks.isOpen) return light;
  return isLight && light.isOpen && !networks.isIdle ? light : networks;
}
