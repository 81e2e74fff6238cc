import { type CreatedUploadToken, type RouteInput, uploadTokenRoutes } from '@clearframe/contract';
import { Controller } from '@nestjs/common';
import { Input, Route } from '../platform/http/route.decorator.js';
import { type Caller, CurrentCaller } from '../sessions/caller.js';
import { UploadTokensService } from './upload-tokens.service.js';

@Controller()
export class UploadTokensController {
  constructor(private readonly tokens: UploadTokensService) {}

  @Route(uploadTokenRoutes.createUploadToken)
  create(
    @CurrentCaller() caller: Caller,
    @Input() { body }: RouteInput<typeof uploadTokenRoutes.createUploadToken>,
  ): Promise<CreatedUploadToken> {
    return this.tokens.create(caller, body);
  }
}
