import type { AiPipeline } from '@clearframe/contract';
import { Injectable, type OnApplicationShutdown, type OnModuleInit } from '@nestjs/common';
import type { Raster } from '../../ai/raster.js';
import { InferenceConfig } from '../../config/inference.config.js';
import { AiEngine, type EnhanceOptions, type EnhanceResult } from '../../inference/engine.js';

/** The networks as a part of this process: started before jobs are taken, closed after the last. */
@Injectable()
export class Enhancer implements OnModuleInit, OnApplicationShutdown {
  private readonly engine: AiEngine;
  /** Whether jobs can be run. */
  isStarted = false;

  constructor(config: InferenceConfig) {
    this.engine = new AiEngine({ environment: config.childEnvironment });
  }

  async onModuleInit(): Promise<void> {
    await this.engine.start();
    this.isStarted = true;
  }

  enhance(raster: Raster, pipeline: AiPipeline, options: EnhanceOptions): Promise<EnhanceResult> {
    return this.engine.enhance(raster, pipeline, options);
  }

  async onApplicationShutdown(): Promise<void> {
    await this.engine.close();
  }
}
