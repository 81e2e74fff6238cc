import type { Environment } from '@clearframe/runtime/config';
import { type DynamicModule, Module } from '@nestjs/common';
import { CaptchaConfig } from './captcha.config.js';
import { CaptchaController } from './captcha.controller.js';
import { Captcha, NoCaptcha, SandboxCaptcha } from './captcha.js';

@Module({})
export class CaptchaModule {
  static forEnvironment(environment: Environment): DynamicModule {
    const config = CaptchaConfig.fromEnvironment(environment);
    return {
      module: CaptchaModule,
      controllers: [CaptchaController],
      providers: [
        { provide: CaptchaConfig, useValue: config },
        { provide: Captcha, useClass: config.provider === 'sandbox' ? SandboxCaptcha : NoCaptcha },
      ],
      exports: [Captcha],
    };
  }
}
