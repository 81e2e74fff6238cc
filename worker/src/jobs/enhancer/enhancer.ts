import { availableParallelism } from 'node:os';
import type { AiPipeline } from '@clearframe/contract';
import { type Dependency, ReadinessCheck } from '@clearframe/runtime/health';
import { Injectable, Module, type OnApplicationShutdown, type OnModuleInit } from '@nestjs/common';
import { InferenceConfig } from '../../config/inference.config.js';
import { JobsConfig } from '../../config/jobs.config.js';
import { AiEngine, type EngineOptions, type EnhanceOptions, type EnhanceResult } from '../../inference/engine.js';
import { EnginePool } from '../../inference/engine-pool.js';
import type { LooksRequest } from '../../inference/protocol.js';
import { defaultThreads } from '../../networks/sessions.js';
import type { Raster } from '../../rasters/raster.js';
import type { RenderedLook } from '../../tools/looks/render-looks.js';

/**
 * Inference processes: one per concurrent picture whose pixels networks restore, one for the others. Started before jobs are taken,
 * closed after the last.
 */
@Injectable()
export class Enhancer implements OnModuleInit, OnApplicationShutdown {
  private readonly networks: EnginePool;
  private readonly light: EnginePool;
  isStarted = false;

  constructor({ childEnvironment }: InferenceConfig, { queues, concurrency }: JobsConfig) {
    const open = (queue: 'images' | 'colors', environment: NodeJS.ProcessEnv): EnginePool => {
      const count = queues.includes(queue) ? concurrency[queue] : 0;
      return new EnginePool(Array.from({ length: count }, () => new AiEngine({ environment })));
    };
    // Concurrent processes share the cores.
    const threads = Math.max(1, Math.floor(defaultThreads(availableParallelism()) / concurrency.images));
    this.networks = open('images', { WORKER_INFERENCE_THREADS: String(threads), ...childEnvironment });
    this.light = open('colors', { ...childEnvironment, WORKER_INFERENCE_PRELOAD: 'light' });
  }

  async onModuleInit(): Promise<void> {
    await Promise.all([this.networks.start(), this.light.start()]);
    this.isStarted = true;
  }

  /** @param isLight restores no pixels, or only kept ones */
  enhance(raster: Raster, pipeline: AiPipeline, options: EnhanceOptions, isLight: boolean): Promise<EnhanceResult> {
    const pool = isLight || !this.networks.isOpen ? this.light : this.networks;
    return pool.use((engine) => engine.enhance(raster, pipeline, options));
  }

  renderLooks(request: LooksRequest, options: EngineOptions): Promise<RenderedLook[]> {
    return this.light.use((engine) => engine.renderLooks(request, options));
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

@Module({ providers: [Enhancer, EngineHealth], exports: [Enhancer] })
export class EnhancerModule {}
