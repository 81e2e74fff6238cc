import { type JpegQuality, OUTPUT_MAX_SIDE, OUTPUT_MAX_SIDE_UNCAPPED } from '@clearframe/contract';
import { Injectable } from '@nestjs/common';
import { FlagsService } from '../flags/flags.service.js';

/** How pictures are worked on, as far as operators decide. Settled when work starts, and kept with the task. */
export interface Processing {
  /** Longest side of a result in pixels. */
  readonly maxSide: number;
  /** Longest side in pixels of the copy in which faces are looked for. */
  readonly faceDetectorMaxInput: number;
}

/** What operators have decided by flags. */
@Injectable()
export class ProcessingSettings {
  constructor(private readonly flags: FlagsService) {}

  async read(): Promise<Processing & { readonly jpegQuality: JpegQuality }> {
    const { removeCap, jpegQuality, faceDetectorMaxInputRes } = await this.flags.current();
    return {
      maxSide: removeCap ? OUTPUT_MAX_SIDE_UNCAPPED : OUTPUT_MAX_SIDE,
      faceDetectorMaxInput: faceDetectorMaxInputRes,
      jpegQuality,
    };
  }
}
