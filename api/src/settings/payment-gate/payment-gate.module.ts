import type { Environment } from '@clearframe/runtime/config';
import { type DynamicModule, Module } from '@nestjs/common';
import { APP_INTERCEPTOR } from '@nestjs/core';
import { CaptchaConfig } from './captcha.config.js';
import { CaptchaController } from './captcha.controller.js';
import { Captcha, NoCaptcha } from './captcha.js';
import { CountriesConfig } from './countries.config.js';
import { PaymentGate } from './payment-gate.js';

@Module({})
export class PaymentGateModule {
  static async forEnvironment(environment: Environment): Promise<DynamicModule> {
    const captcha = CaptchaConfig.fromEnvironment(environment);
    const Provider = captcha.provider === 'sandbox' ? (await import('./sandbox-captcha.js')).SandboxCaptcha : NoCaptcha;
    return {
      module: PaymentGateModule,
      global: true,
      controllers: [CaptchaController],
      providers: [
        { provide: CaptchaConfig, useValue: captcha },
        { provide: Captcha, useClass: Provider },
        { provide: CountriesConfig, useValue: CountriesConfig.fromEnvironment(environment) },
        { provide: APP_INTERCEPTOR, useClass: PaymentGate },
      ],
      exports: [CountriesConfig, CaptchaConfig],
    };
  }
}
