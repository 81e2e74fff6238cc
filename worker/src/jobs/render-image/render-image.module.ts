import { Module } from '@nestjs/common';
import { RenderImageHandler } from './render-image.handler.js';

@Module({ providers: [RenderImageHandler] })
export class RenderImageModule {}
