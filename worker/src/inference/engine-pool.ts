import type { AiEngine } from './engine.js';

/** Gives each call an inference process of its own; calls wait in order. */
export class EnginePool {
  /** The last used first. */
  private readonly idle: AiEngine[];
  private readonly waiting: ((engine: AiEngine) => void)[] = [];

  constructor(private readonly engines: readonly AiEngine[]) {
    this.idle = [...engines];
  }

  /** False without inference processes: the worker does not serve their queue. */
  get isOpen(): boolean {
    return this.engines.length > 0;
  }

  get isIdle(): boolean {
    return this.idle.length > 0;
  }

  /** In sequence: loading networks takes the whole memory bandwidth. */
  async start(): Promise<void> {
    for (const engine of this.engines) await engine.start();
  }

  async use<Result>(call: (engine: AiEngine) => Promise<Result>): Promise<Result> {
    if (!this.isOpen) throw new Error('the pool has no inference process');
    const engine = this.idle.shift() ?? (await new Promise<AiEngine>((resolve) => this.waiting.push(resolve)));
    try {
      return await call(engine);
    } finally {
      const next = this.waiting.shift();
      if (next) next(engine);
      else this.idle.unshift(engine);
    }
  }

  async close(): Promise<void> {
    await Promise.all(this.engines.map((engine) => engine.close()));
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
