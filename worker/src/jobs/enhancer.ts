import { availableParallelism } from 'node:os';
import { type AiPipeline, inMilliseconds, type PictureMeasures } from '@clearframe/contract';
import { type Dependency, ReadinessCheck } from '@clearframe/runtime/health';
import { Injectable, type OnApplicationShutdown, type OnModuleInit } from '@nestjs/common';
import { AiEngine, type AiEngineOptions, type EngineOptions, type EnhanceOptions } from '../inference/engine.js';
import type { AnalysisRequest, LooksRequest } from '../inference/protocol.js';
import { defaultThreads } from '../networks/sessions.js';
import { JobsConfig } from '../platform/config.js';
import { InferenceConfig } from '../platform/inference.config.js';
import type { Raster } from '../rasters/raster.js';
import type { PipelineResult } from '../tools/pipeline/pipeline.js';
import type { RenderedLook } from '../tools/pipeline/render-looks.js';

/** Time after which an unused process for light work ends. */
const IDLE_MS = inMilliseconds.minutes(5);

/**
 * Inference processes: one per concurrent picture whose pixels networks restore, for which large results wait in turn with the
 * others; one of 220 MB for light work, which starts only when the others are busy or absent. Closed after the last job.
 */
@Injectable()
export class Enhancer implements EnginePools, OnModuleInit, OnApplicationShutdown {
  readonly networks: EnginePool;
  readonly light: EnginePool;
  isStarted = false;

  constructor({ childEnvironment }: InferenceConfig, { queues, concurrency }: JobsConfig) {
    const open = (served: readonly ('images' | 'colors' | 'large')[], options: AiEngineOptions): EnginePool => {
      const [queue] = served.filter((name) => queues.includes(name));
      const count = queue ? concurrency[queue] : 0;
      return new EnginePool(Array.from({ length: count }, () => new AiEngine(options)));
    };
    // Concurrent processes share the cores.
    const threads = Math.max(1, Math.floor(defaultThreads(availableParallelism()) / concurrency.images));
    this.networks = open(['images', 'large'], {
      environment: { WORKER_INFERENCE_THREADS: String(threads), ...childEnvironment },
    });
    this.light = open(['colors'], {
      environment: { ...childEnvironment, WORKER_INFERENCE_PRELOAD: 'light' },
      ...(this.networks.isOpen && { idleMs: IDLE_MS }),
    });
  }

  async onModuleInit(): Promise<void> {
    await (this.networks.isOpen ? this.networks : this.light).start();
    this.isStarted = true;
  }

  /** @param isLight restores no pixels, or only kept ones */
  enhance(raster: Raster, pipeline: AiPipeline, options: EnhanceOptions, isLight: boolean): Promise<PipelineResult> {
    return poolFor(this, isLight).use((engine) => engine.enhance(raster, pipeline, options));
  }

  renderLooks(request: LooksRequest, options: EngineOptions): Promise<RenderedLook[]> {
    return poolFor(this, true).use((engine) => engine.renderLooks(request, options));
  }

  analyze(request: AnalysisRequest, options: EngineOptions): Promise<PictureMeasures> {
    return poolFor(this, true).use((engine) => engine.analyze(request, options));
  }

  async onApplicationShutdown(): Promise<void> {
    await Promise.all([this.networks.close(), this.light.close()]);
  }
}

@Injectable()
@ReadinessCheck({ name: 'engine' })
export class EngineHealth implements Dependency {
  constructor(private readonly enhancer: Enhancer) {}

  check(): void {
    if (!this.enhancer.isStarted) throw new Error('the inference process has not started');
  }
}

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

interface EnginePools {
  /** Has all networks; closed in a worker that does not serve pictures with networks. */
  readonly networks: EnginePool;
  readonly light: EnginePool;
}

/** Light work goes to an idle process with all networks, since starting another one takes time and memory. */
export function poolFor({ networks, light }: EnginePools, isLight: boolean): EnginePool {
  if (!networks.isOpen) return light;
  return isLight && light.isOpen && !networks.isIdle ? light : networks;
}
