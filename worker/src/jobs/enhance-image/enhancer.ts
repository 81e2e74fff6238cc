import { availableParallelism } from 'node:os';
import { type AiPipeline, needsNetworks } from '@clearframe/contract';
import { type Dependency, ReadinessCheck } from '@clearframe/runtime/health';
import { Injectable, type OnApplicationShutdown, type OnModuleInit } from '@nestjs/common';
import { InferenceConfig } from '../../config/inference.config.js';
import { JobsConfig } from '../../config/jobs.config.js';
import { AiEngine, type EnhanceOptions, type EnhanceResult } from '../../inference/engine.js';
import { EnginePool } from '../../inference/engine-pool.js';
import { defaultThreads } from '../../networks/sessions.js';
import type { Raster } from '../../rasters/raster.js';

/**
 * Inference processes: one per concurrent picture with networks, one for the others. Started before jobs are taken,
 * closed after the last.
 */
@Injectable()
export class Enhancer implements OnModuleInit, OnApplicationShutdown {
  private readonly networks: EnginePool;
  private readonly colors: EnginePool;
  isStarted = false;

  constructor({ childEnvironment }: InferenceConfig, { queues, concurrency }: JobsConfig) {
    const open = (queue: 'images' | 'colors', environment: NodeJS.ProcessEnv): EnginePool => {
      const count = queues.includes(queue) ? concurrency[queue] : 0;
      return new EnginePool(Array.from({ length: count }, () => new AiEngine({ environment })));
    };
    // Concurrent processes share the cores.
    const threads = Math.max(1, Math.floor(defaultThreads(availableParallelism()) / concurrency.images));
    this.networks = open('images', { WORKER_INFERENCE_THREADS: String(threads), ...childEnvironment });
    this.colors = open('colors', { ...childEnvironment, WORKER_INFERENCE_PRELOAD: 'none' });
  }

  async onModuleInit(): Promise<void> {
    await Promise.all([this.networks.start(), this.colors.start()]);
    this.isStarted = true;
  }

  enhance(raster: Raster, pipeline: AiPipeline, options: EnhanceOptions): Promise<EnhanceResult> {
    const pool = needsNetworks(pipeline) ? this.networks : this.colors;
    return pool.enhance(raster, pipeline, options);
  }

  async onApplicationShutdown(): Promise<void> {
    await Promise.all([this.networks.close(), this.colors.close()]);
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
