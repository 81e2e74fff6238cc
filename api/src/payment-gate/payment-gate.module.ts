import type { Environment } from '@clearframe/runtime/config';
import { type DynamicModule, Module } from '@nestjs/common';
import { APP_INTERCEPTOR } from '@nestjs/core';
import { BillingModule } from '../billing/billing.module.js';
import { CaptchaConfig } from './captcha.config.js';
import { CaptchaController } from './captcha.controller.js';
import { Captcha, NoCaptcha } from './captcha.js';
import { CaptchaGate } from './captcha-gate.js';
import { CountriesConfig } from './countries.config.js';
import { PaymentGate } from './payment-gate.js';
import { Recaptcha } from './recaptcha.js';
import { UnverifiedForms } from './unverified-forms.js';

@Module({})
export class PaymentGateModule {
  static forEnvironment(environment: Environment): DynamicModule {
    const captcha = CaptchaConfig.fromEnvironment(environment);
    return {
      module: PaymentGateModule,
      global: true,
      imports: [BillingModule],
      controllers: [CaptchaController],
      providers: [
        { provide: CaptchaConfig, useValue: captcha },
        { provide: Captcha, useClass: captcha.isConfigured ? Recaptcha : NoCaptcha },
        { provide: CountriesConfig, useValue: CountriesConfig.fromEnvironment(environment) },
        UnverifiedForms,
        { provide: APP_INTERCEPTOR, useClass: PaymentGate },
        { provide: APP_INTERCEPTOR, useClass: CaptchaGate },
      ],
      exports: [CountriesConfig, CaptchaConfig],
    };
  }
}
