import { Module } from '@nestjs/common';
import { EnhanceImageHandler } from './enhance-image.handler.js';
import { Enhancer } from './enhancer.js';

@Module({ providers: [EnhanceImageHandler, Enhancer] })
export class EnhanceImageModule {}
