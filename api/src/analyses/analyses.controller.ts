import { type Analysis, analyzeRoutes } from '@clearframe/contract';
import { Controller, Req, Res } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { z } from 'zod';
import { dropRest, readRequest } from '../enhance/sent-picture.js';
import { AppError } from '../platform/errors/app-error.js';
import { parseFields, Route } from '../platform/http/route.decorator.js';
import { type Caller, CurrentCaller } from '../sessions/caller.js';
import { AnalysesService } from './analyses.service.js';

const NO_FIELDS = z.object({});

@Controller()
export class AnalysesController {
  constructor(private readonly analyses: AnalysesService) {}

  @Route(analyzeRoutes.analyzePicture)
  async analyze(
    @CurrentCaller() caller: Caller,
    @Req() request: FastifyRequest,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<Analysis> {
    try {
      const { fields, picture, mask } = await readRequest(request);
      mask?.body.destroy();
      parseFields(NO_FIELDS, mask ? { ...fields, mask: 'a file' } : fields);
      if (!picture) throw new AppError('uploads.empty');
      return await this.analyses.analyze(caller, picture, () => request.raw.socket.destroyed);
    } catch (error) {
      dropRest(request, reply);
      throw error;
    }
  }
}
