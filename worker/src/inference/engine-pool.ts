import type { AiPipeline } from '@clearframe/contract';
import type { Raster } from '../rasters/raster.js';
import type { AiEngine, EnhanceOptions, EnhanceResult } from './engine.js';

/** Uses the inference process with the fewest calls. */
export class EnginePool {
  private readonly calls = new Map<AiEngine, number>();

  /** @param engines at least one */
  constructor(engines: readonly AiEngine[]) {
    for (const engine of engines) this.calls.set(engine, 0);
  }

  /** In sequence: loading networks takes the whole memory bandwidth. */
  async start(): Promise<void> {
    for (const engine of this.calls.keys()) await engine.start();
  }

  /** @throws as {@link AiEngine.enhance} */
  async enhance(input: Raster, pipeline: AiPipeline, options: EnhanceOptions): Promise<EnhanceResult> {
    const engine = this.leastBusy();
    this.count(engine, 1);
    try {
      return await engine.enhance(input, pipeline, options);
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
