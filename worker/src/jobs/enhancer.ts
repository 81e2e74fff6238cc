import { availableParallelism } from 'node:os';
import { type AiPipeline, inMilliseconds } from '@clearframe/contract';
import { type Dependency, ReadinessCheck } from '@clearframe/runtime/health';
import { Injectable, type OnApplicationShutdown, type OnModuleInit } from '@nestjs/common';
import {
  AiEngine,
  type AiEngineOptions,
  type EngineOptions,
  type EnhanceOptions,
  type EnhanceResult,
} from '../inference/engine.js';
import { EnginePool, type EnginePools, poolFor } from '../inference/engine-pool.js';
import type { LooksRequest } from '../inference/protocol.js';
import { defaultThreads } from '../networks/sessions.js';
import { JobsConfig } from '../platform/config.js';
import { InferenceConfig } from '../platform/inference.config.js';
import type { Raster } from '../rasters/raster.js';
import type { RenderedLook } from '../tools/pipeline/render-looks.js';

/** Time after which an unused process for light work ends. */
const IDLE_MS = inMilliseconds.minutes(5);

/**
 * Inference processes: one per concurrent picture whose pixels networks restore, one of 220 MB for light work, which
 * starts only when the others are busy or absent. Closed after the last job.
 */
@Injectable()
export class Enhancer implements EnginePools, OnModuleInit, OnApplicationShutdown {
  readonly networks: EnginePool;
  readonly light: EnginePool;
  isStarted = false;

  constructor({ childEnvironment }: InferenceConfig, { queues, concurrency }: JobsConfig) {
    const open = (queue: 'images' | 'colors', options: AiEngineOptions): EnginePool => {
      const count = queues.includes(queue) ? concurrency[queue] : 0;
      return new EnginePool(Array.from({ length: count }, () => new AiEngine(options)));
    };
    // Concurrent processes share the cores.
    const threads = Math.max(1, Math.floor(defaultThreads(availableParallelism()) / concurrency.images));
    this.networks = open('images', {
      environment: { WORKER_INFERENCE_THREADS: String(threads), ...childEnvironment },
    });
    this.light = open('colors', {
      environment: { ...childEnvironment, WORKER_INFERENCE_PRELOAD: 'light' },
      ...(this.networks.isOpen && { idleMs: IDLE_MS }),
    });
  }

  async onModuleInit(): Promise<void> {
    await (this.networks.isOpen ? this.networks : this.light).start();
    this.isStarted = true;
  }

  /** @param isLight restores no pixels, or only kept ones */
  enhance(raster: Raster, pipeline: AiPipeline, options: EnhanceOptions, isLight: boolean): Promise<EnhanceResult> {
    return poolFor(this, isLight).use((engine) => engine.enhance(raster, pipeline, options));
  }

  renderLooks(request: LooksRequest, options: EngineOptions): Promise<RenderedLook[]> {
    return poolFor(this, true).use((engine) => engine.renderLooks(request, options));
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
