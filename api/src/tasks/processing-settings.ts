import { type JpegQuality, OUTPUT_MAX_SIDE, OUTPUT_MAX_SIDE_UNCAPPED } from '@clearframe/contract';
import { Injectable } from '@nestjs/common';
import { FlagsService } from '../platform/flags/flags.service.js';
import type { ProcessingLimits } from './task.entity.js';

@Injectable()
export class ProcessingSettings {
  constructor(private readonly flags: FlagsService) {}

  async read(): Promise<ProcessingLimits & { readonly jpegQuality: JpegQuality }> {
    const { removeCap, jpegQuality, faceDetectorMaxInputRes } = await this.flags.current();
    return {
      maxSide: removeCap ? OUTPUT_MAX_SIDE_UNCAPPED : OUTPUT_MAX_SIDE,
      faceDetectorMaxInput: faceDetectorMaxInputRes,
      jpegQuality,
    };
  }
}
