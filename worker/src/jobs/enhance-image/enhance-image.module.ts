import { Module } from '@nestjs/common';
import { EnhanceImageHandler } from './enhance-image.handler.js';
import { EngineHealth, Enhancer } from './enhancer.js';

@Module({ providers: [EnhanceImageHandler, Enhancer, EngineHealth] })
export class EnhanceImageModule {}
