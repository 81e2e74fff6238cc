import type { Environment } from '@clearframe/runtime/config';
import { type DynamicModule, Module } from '@nestjs/common';
import { APP_INTERCEPTOR } from '@nestjs/core';
import { CaptchaModule } from './captcha.module.js';
import { CountriesModule } from './countries.module.js';
import { PaymentGate } from './payment-gate.js';

@Module({})
export class PaymentGateModule {
  static forEnvironment(environment: Environment): DynamicModule {
    return {
      module: PaymentGateModule,
      imports: [CaptchaModule.forEnvironment(environment), CountriesModule.forEnvironment(environment)],
      providers: [{ provide: APP_INTERCEPTOR, useClass: PaymentGate }],
    };
  }
}
