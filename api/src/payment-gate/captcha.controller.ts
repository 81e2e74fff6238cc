import { type CaptchaVerdict, captchaRoutes, type RouteInput } from '@clearframe/contract';
import { Controller, Req } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import { AppConfig } from '../platform/config/app.config.js';
import { notConfigured } from '../platform/errors/app-error.js';
import { addressOf } from '../platform/http/address.js';
import { Input, Route } from '../platform/http/route.decorator.js';
import { CaptchaConfig } from './captcha.config.js';
import { Captcha } from './captcha.js';

@Controller()
export class CaptchaController {
  constructor(
    private readonly captcha: Captcha,
    private readonly config: CaptchaConfig,
    private readonly app: AppConfig,
  ) {}

  @Route(captchaRoutes.verify)
  verify(
    @Req() request: FastifyRequest,
    @Input() { body }: RouteInput<typeof captchaRoutes.verify>,
  ): Promise<CaptchaVerdict> {
    if (!this.config.isConfigured) throw notConfigured('a captcha');
    const address = addressOf(request, this.app.internalSecret);
    return this.captcha.verify({ token: body.recaptchaToken, action: 'verify', address });
  }
}
