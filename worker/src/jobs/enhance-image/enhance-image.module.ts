import { Module } from '@nestjs/common';
import { EngineHealth } from './engine-health.js';
import { EnhanceImageHandler } from './enhance-image.handler.js';
import { Enhancer } from './enhancer.js';

@Module({ providers: [EnhanceImageHandler, Enhancer, EngineHealth] })
export class EnhanceImageModule {}
